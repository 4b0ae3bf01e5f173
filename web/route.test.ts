import { describe, expect, it } from 'vitest';
import { type Route, readRoute, writeRoute } from './route.ts';

describe('the address', () => {
  it.each<Route>([
    { view: 'runs', filter: {} },
    { view: 'runs', filter: { outcome: 'mended', tool: 'a b', model: 'x/y:z', repair: 'comma', text: 'ü & # ?' } },
    { view: 'run', run: 'run_1' },
    { view: 'run', run: '../a/b?c#d' },
    { view: 'call', run: 'run/1', callId: 'call 1%' },
    { view: 'figures' },
    { view: 'try', shared: '' },
    { view: 'try', shared: 'abc-_' },
  ])('leads back to what it was made of: %j', (route) => {
    expect(readRoute(writeRoute(route))).toEqual(route);
  });

  it.each(['', '#', '#/', '#/nowhere', '#/runs', '#/runs/', '#/runs?outcome='])('of %j shows all runs', (hash) => {
    expect(readRoute(hash)).toEqual({ view: 'runs', filter: {} });
  });

  it('takes what is no encoding as it stands', () => {
    expect(readRoute('#/runs/%E0%A4%A')).toEqual({ view: 'run', run: '%E0%A4%A' });
  });
});
