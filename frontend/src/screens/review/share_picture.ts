/** A picture of a finished game, drawn in the browser: title, map, seats. Nothing is fetched. */

import { armiesText, silhouette } from "../../map/shapes";
import type { Geometry, Holdings, Owner } from "../../map/types";

export interface Picture {
  readonly title: string;
  readonly detail: string;
  readonly seats: readonly { readonly colour: Owner; readonly name: string }[];
  readonly geometry: Geometry;
  readonly holdings: Holdings;
}

const SIZE = { width: 1200, height: 630 }; // what link previews show
const TOP = 96;
const BOTTOM = 48;
const MARGIN = 36;

/** The picture as a PNG. */
export async function pictureOf(picture: Picture): Promise<Blob> {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  canvas.width = SIZE.width;
  canvas.height = SIZE.height;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser draws no pictures.");
  draw(context, picture, tokens());
  return new Promise((done, refuse) =>
    canvas.toBlob((blob) => (blob === null ? refuse(new Error("The picture could not be made.")) : done(blob)), "image/png"),
  );
}

type Colour = (name: string) => string;

/** The colours and fonts of the theme, by the names of their tokens. */
function tokens(): Colour {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

function draw(context: CanvasRenderingContext2D, picture: Picture, token: Colour): void {
  context.fillStyle = token("card");
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  context.fillStyle = token("ink");
  context.font = `400 38px ${token("display")}`;
  context.fillText(picture.title, MARGIN, 50, SIZE.width - 260);
  context.fillStyle = token("ink-2");
  context.font = `400 19px ${token("text")}`;
  context.fillText(picture.detail, MARGIN, 80, SIZE.width - 2 * MARGIN);
  context.fillStyle = token("accent-text");
  context.font = `400 26px ${token("display")}`;
  context.textAlign = "right";
  context.fillText("Rubicon", SIZE.width - MARGIN, 48);
  context.textAlign = "left";
  drawMap(context, picture, token);
  drawSeats(context, picture, token);
}

function drawMap(context: CanvasRenderingContext2D, { geometry, holdings }: Picture, token: Colour): void {
  const room = SIZE.height - TOP - BOTTOM;
  const scale = Math.min(SIZE.width / geometry.width, room / geometry.height);
  context.save();
  context.fillStyle = token("sea");
  context.fillRect(0, TOP, SIZE.width, room);
  context.beginPath();
  context.rect(0, TOP, SIZE.width, room);
  context.clip();
  context.translate((SIZE.width - geometry.width * scale) / 2, TOP + (room - geometry.height * scale) / 2);
  context.scale(scale, scale);
  context.lineJoin = "round";
  const shapes = geometry.territories.map((territory) => ({ territory, path: new Path2D(territory.path), owner: holdings[territory.id]?.owner ?? "neutral" }));
  const depths: [string, number][] = [["sea-1", 46], ["sea-2", 28], ["sea-3", 13]];
  for (const [name, width] of depths) {
    context.strokeStyle = token(name);
    context.lineWidth = width;
    for (const { path } of shapes) context.stroke(path);
  }
  for (const { path, owner } of shapes) {
    context.fillStyle = token(`${owner}-land`);
    context.fill(path);
    context.strokeStyle = token("coast");
    context.lineWidth = 0.9;
    context.stroke(path);
  }
  context.fillStyle = token("sea-2");
  context.fill(new Path2D(geometry.lakes));
  context.strokeStyle = token("coast");
  context.lineWidth = 3;
  context.stroke(new Path2D(geometry.borders.continent));
  for (const { territory, owner } of shapes) {
    context.save();
    context.translate(...territory.badge);
    drawBadge(context, owner, 15, armiesText(holdings[territory.id]?.armies ?? null), token);
    context.restore();
  }
  context.restore();
}

function drawSeats(context: CanvasRenderingContext2D, { seats }: Picture, token: Colour): void {
  let x = MARGIN;
  context.font = `600 18px ${token("text")}`;
  for (const seat of seats) {
    context.save();
    context.translate(x + 12, SIZE.height - BOTTOM / 2);
    drawBadge(context, seat.colour, 12, "", token);
    context.restore();
    context.fillStyle = token("ink");
    context.fillText(seat.name, x + 32, SIZE.height - BOTTOM / 2 + 6, 150);
    x += 32 + Math.min(150, context.measureText(seat.name).width) + 28;
  }
}

function drawBadge(context: CanvasRenderingContext2D, owner: Owner, radius: number, text: string, token: Colour): void {
  const path = new Path2D(silhouette(owner, radius));
  context.fillStyle = token(`${owner}-solid`);
  context.strokeStyle = token("seat-rim");
  context.lineWidth = 2;
  context.fill(path);
  context.stroke(path);
  if (text === "") return;
  context.fillStyle = token(`${owner}-on`);
  context.font = `750 ${text.length > 2 ? 12 : 15.5}px ${token("text")}`;
  context.textAlign = "center";
  context.fillText(text, 0, 5.4);
}
