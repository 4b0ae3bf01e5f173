import type { BrowserContextOptions, Page } from 'playwright-core';
import type { InspectorOptions } from '../../src/inspect/index.ts';
import type { Stage } from './stage.ts';

/** What a suite is given. */
export interface Theatre {
  /** Sets a stage, and takes it down after the test. */
  stage(options?: Partial<InspectorOptions>): Promise<Stage>;
  /** Opens the page at a place; whatever goes wrong on it fails the test. */
  open(stage: Pick<Stage, 'url'>, place?: string, options?: BrowserContextOptions): Promise<Page>;
}
