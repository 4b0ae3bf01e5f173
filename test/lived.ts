const tick = 5;

/**
 * Milliseconds until something settles, as this process lived them: a stretch in which the machine gave it no turn counts
 * as one tick. So a bound on what is waited for holds on a busy machine, and still finds a timer that is too long.
 */
export async function lived(what: () => unknown): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tick);
  try {
    await what();
  } finally {
    clearInterval(timer);
  }
  return ticks * tick;
}
