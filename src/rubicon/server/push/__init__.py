"""Web push: messages to browsers that wake the app when it is somebody's turn."""
