"""Raw bytes of an e-mail to a typed `IncomingMail`; nothing here trusts a byte of them."""
