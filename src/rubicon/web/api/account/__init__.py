"""What concerns one account: its session, its devices, its public page; and the administration."""
