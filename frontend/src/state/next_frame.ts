/** Runs something once, before a frame is drawn. */

const LATEST = 100; // milliseconds: a page that nobody sees draws no frames

/** Not before `earliest`, a moment of the page's clock; the function that is returned calls it off. */
export function beforeNextFrame(run: () => void, earliest: number): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout>;
  const off = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const now = () => {
    off();
    run();
  };
  const ask = () => {
    frame = requestAnimationFrame(now);
    timer = setTimeout(now, LATEST);
  };
  const wait = earliest - performance.now();
  if (wait > 0) timer = setTimeout(ask, wait);
  else ask();
  return off;
}
