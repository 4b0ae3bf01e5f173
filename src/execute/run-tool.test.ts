import { describe, expect, it, vi } from 'vitest';
import { onAbort } from './run-tool.ts';

describe('onAbort', () => {
  it('calls what still waits for the signal, through a single listener', () => {
    const control = new AbortController();
    const add = vi.spyOn(control.signal, 'addEventListener');
    const called: string[] = [];
    onAbort(control.signal, () => called.push('first'));
    const forget = onAbort(control.signal, () => called.push('second'));
    onAbort(control.signal, () => called.push('third'));
    forget();
    control.abort();
    expect(called).toEqual(['first', 'third']);
    expect(add).toHaveBeenCalledTimes(1);
  });

  it('removes its listener when nothing waits any more, and adds it again', () => {
    const control = new AbortController();
    const remove = vi.spyOn(control.signal, 'removeEventListener');
    let calls = 0;
    const forget = onAbort(control.signal, () => {});
    forget();
    forget();
    expect(remove).toHaveBeenCalledTimes(1);
    onAbort(control.signal, () => {
      calls += 1;
    });
    // A function that was removed before must not remove the listener of another.
    forget();
    control.abort();
    expect(calls).toBe(1);
  });
});
