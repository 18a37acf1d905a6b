import { expect, it } from "vitest";

import { iconAddress, showTabIcon } from "./tab_icon";

it("draws the logo in two colours", () => {
  const svg = decodeURIComponent(iconAddress("#2457b8", "#fff").slice("data:image/svg+xml,".length));
  expect(svg).toContain('fill="#2457b8"');
  expect(svg).toContain('stroke="#fff"');
});

it("is the usual one again when the turn is over", () => {
  document.head.innerHTML = '<link rel="icon" href="/icon.svg">';
  const link = document.querySelector<HTMLLinkElement>("link")!;
  showTabIcon("blue");
  expect(link.href).toMatch(/^data:image/);
  showTabIcon(null);
  expect(link.href).toMatch(/\/icon\.svg$/);
});
