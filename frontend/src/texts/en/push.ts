export const push = {
  title: "Notifications",
  on: "Tell me when it is my turn",
  onHint: "A notification on this device, also while this page is closed. It opens the game.",
  insecure: "Notifications need a secure address (https). This page came over plain http.",
  unsupported: "This browser cannot show notifications. On an iPhone, add this page to the home screen first.",
  off: "This server sends no notifications.",
  denied: "You have blocked notifications of this page. Your browser’s settings for this page allow them again.",
  failed: "Your browser’s notification service cannot be reached. Try again later.",
  devices: "Devices that get notifications",
  unnamed: "A device",
  remove: "Remove",
  removeDevice: (label: string) => `Remove ${label}`,
};
