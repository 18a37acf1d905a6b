"""Those who take part in the dice: the server, a dice server, and players' clients."""
