import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../log/events.ts';
import { newRunState } from '../log/state.ts';
import { notifyListeners } from '../log/subscribe.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('listeners by name', () => {
  it('report an error of one listener, call the others and continue the run', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const heard: string[] = [];
    const bad = (): void => {
      throw new Error('oops');
    };
    const event: RunEvent = { type: 'run.ended', end: 'done', message: '', run: 'r', seq: 1, at: 0 };
    const listeners = { error: new Set<never>(), tool_executed: new Set<never>() };
    notifyListeners(event, newRunState(), {
      ...listeners,
      end: new Set([bad, ({ end }: { end: string }) => heard.push(end)]),
    });
    expect(heard).toEqual(['done']);
    expect(warned.mock.calls).toEqual([[expect.stringContaining('A listener failed: Error: oops'), 'ToolmendWarning']]);
  });
});
