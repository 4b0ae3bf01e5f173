/**
 * The inspector's page in a real browser, against the real server. One file, so that there is one browser at a time: the
 * suites stand in files of their own.
 */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { buildPage } from '../../scripts/build-page.ts';
import { openBrowser, type Watched, watchedPage } from './browser.ts';
import { type Stage, stage } from './stage.ts';
import { accessSuite } from './suites/access.ts';
import { approvalSuite } from './suites/approval.ts';
import { callSuite } from './suites/call.ts';
import { controlSuite } from './suites/control.ts';
import { figuresSuite } from './suites/figures.ts';
import { hostileSuite } from './suites/hostile.ts';
import { keyboardSuite } from './suites/keyboard.ts';
import { liveSuite } from './suites/live.ts';
import { manySuite } from './suites/many.ts';
import { runsSuite } from './suites/runs.ts';
import { trySuite } from './suites/try.ts';
import type { Theatre } from './theatre.ts';

let browser: Browser;
const stages: Stage[] = [];
const pages: Watched[] = [];

beforeAll(async () => {
  await buildPage();
  browser = await openBrowser();
});
afterAll(() => browser?.close());
afterEach(async () => {
  const faults = pages.flatMap((page) => page.faults);
  for (const { page } of pages.splice(0)) await page.context().close();
  for (const one of stages.splice(0)) await one.close();
  expect(faults).toEqual([]);
});

const theatre: Theatre = {
  async stage(options) {
    const set = await stage(options);
    stages.push(set);
    return set;
  },
  async open({ url }, place = '', options = {}) {
    const watched = await watchedPage(browser, url + place, options);
    pages.push(watched);
    return watched.page;
  },
};

describe('the list of runs', () => runsSuite(theatre));
describe('live updates', () => liveSuite(theatre));
describe('approvals', () => approvalSuite(theatre));
describe('controlling runs', () => controlSuite(theatre));
describe('a call', () => callSuite(theatre));
describe('hostile content', () => hostileSuite(theatre));
describe('try it', () => trySuite(theatre));
describe('statistics', () => figuresSuite(theatre));
describe('keyboard navigation', () => keyboardSuite(theatre));
describe('accessibility', () => accessSuite(theatre));
describe('a hundred thousand events', () => manySuite(theatre));
