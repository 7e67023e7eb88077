import type { Scene } from './scene.ts';

const HOUR_MS = 3_600_000;

/** What happens to the device: its clock jumps, it sleeps, it loses the network. `haste`: how much more often than ever. */
export function deviceWeather(scene: Scene, haste: number): { weight: number; make: () => void }[] {
  const { random, browser, agenda } = scene;
  return [
    {
      weight: 0.12 * haste,
      make: () => {
        scene.count('clockJumps');
        browser.skew += random.whole(-30 * HOUR_MS, 30 * HOUR_MS);
        scene.tell?.(`the device's clock jumps to ${Math.round(browser.skew / HOUR_MS)} h off`);
      },
    },
    {
      weight: 0.15 * haste,
      make: () => {
        const ms = random.chance(0.4) ? random.whole(5_000, 120_000) : random.whole(1, 30) * HOUR_MS;
        scene.count('sleeps');
        scene.tell?.(`the device sleeps for ${Math.round(ms / 1_000)} s`);
        agenda.sleep(ms);
        // On some devices the monotonic clock stands still meanwhile.
        if (random.chance(0.5)) browser.stood += ms;
      },
    },
    {
      weight: browser.offline ? 1 : 0.12,
      make: () => {
        browser.offline = !browser.offline;
        scene.tell?.(`the device goes ${browser.offline ? 'offline' : 'online'}`);
      },
    },
  ];
}
