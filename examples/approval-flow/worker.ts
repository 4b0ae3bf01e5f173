/** A worker of the approval flow. Start as many as you need, on any machine. */
import { openPayouts, settingsFrom } from './payouts.ts';

const { store, runs } = await openPayouts(settingsFrom(process.env));
const worker = runs.work({ pollInterval: 50 });
console.log('working');
process.once('SIGTERM', async () => {
  await worker.stop();
  await runs.close();
  await store.close();
});
