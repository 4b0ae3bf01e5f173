import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Opens the browser that comes with the dev dependencies; one for a whole file, for it is heavy. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await bundled.executablePath();
  return chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fontsBeside() },
    args: ['--no-sandbox', '--disable-background-networking', '--font-render-hinting=none'],
  });
}

/** The fonts that come with the browser before the machine's own, so that pictures look alike everywhere. */
function fontsBeside(): string {
  const folder = join(tmpdir(), 'toolmend-fonts');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'fonts.conf');
  const dirs = [join(tmpdir(), 'fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`).join('');
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${dirs}<cachedir>${folder}</cachedir></fontconfig>`);
  return file;
}

/** A page, and all that went wrong on it. */
export interface Watched {
  readonly page: Page;
  /** Errors, messages of the console that report one, and requests to anywhere but the server. */
  readonly faults: string[];
}

/** Opens a page of which everything that goes wrong is kept. */
export async function watchedPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // A request that fails on purpose is told there too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.sourceFile));`,
  );
  await page.goto(url);
  return { page, faults };
}
