/** Three short sounds, made on the spot: a die, a capture, the own turn. */

export type Sound = "die" | "capture" | "turn";

const NOTES: Readonly<Record<Sound, readonly number[]>> = { die: [190], capture: [330, 440], turn: [523, 659, 784] }; // hertz
const LENGTH = 0.11; // seconds a note
const VOLUME = 0.08;

let audio: AudioContext | null = null;

export function play(sound: Sound): void {
  audio ??= new AudioContext();
  const context = audio;
  NOTES[sound].forEach((pitch, index) => {
    const start = context.currentTime + index * LENGTH;
    const note = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: VOLUME });
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + LENGTH);
  });
}
