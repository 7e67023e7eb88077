import type { Answer, Attempt, Call } from '#src/api/http.ts';
import { answerBy, envelope, noAnswer, strange } from './answers.ts';
import { type Fate, fateOf, readFateOf } from './fates.ts';
import { type Sent, serve } from './front.ts';
import { learn } from './session.ts';
import { lagging, spoil, spoilRead } from './spoils.ts';
import { type Account, type Scene, type Tab, serviceSeconds } from './scene.ts';

const TIMEOUT_MS = 30_000;
const LONGEST_DELAY_MS = 30 * 60 * 1_000;

/** Page → gateway → front → service, and back: what api/http.ts attempt() is to a page. */
export function networkOf(scene: Scene, tab: Tab): (call: Call) => Promise<Attempt> {
  const { agenda, random } = scene;

  return (call) => {
    agenda.stir();
    return new Promise((resolve) => {
      const sentAt = agenda.now();
      let isOver = false;
      /** The page's own time-out covers everything. */
      const hear = (ms: number, attempt: () => Attempt): void => {
        const limit = call.timeoutMs ?? TIMEOUT_MS;
        const left = limit - (agenda.now() - sentAt);
        agenda.after(
          Math.min(ms, left),
          () => {
            if (isOver || !tab.alive) return;
            isOver = true;
            const heard = ms > left || agenda.now() - sentAt > limit ? noAnswer('timeout', limit) : attempt();
            agenda.stir();
            learn(scene, tab, call, heard);
            resolve(heard);
          },
          true,
        );
      };
      if (call.method === 'POST') post(call, hear);
      else get(call, hear);
    });
  };

  function post(call: Call, hear: (ms: number, attempt: () => Attempt) => void): void {
    scene.judge.posted(call);
    if (scene.browser.offline) {
      scene.count('offline');
      return hear(1, () => noAnswer('offline', 0));
    }
    const account = admitted(call);
    if (!('at' in account)) return hear(random.whole(5, 80), () => account);
    const fate = fateOf(random, scene.heat);
    const sent: Sent = { account, path: call.path, key: call.key ?? '', body: call.body ?? '', fate };
    scene.tell?.(`${tab.name} POSTs ${sent.key} (${fate.request}, ${fate.front}, ${fate.answer})`);
    const resends = (scene.posts.get(sent.key) ?? 0) + 1;
    scene.posts.set(sent.key, resends);
    const giveUp = (): void => {
      const isTimeout = random.chance(0.5);
      const ms = isTimeout ? TIMEOUT_MS : random.whole(50, 29_000);
      hear(ms, () => noAnswer(isTimeout ? 'timeout' : 'network', ms));
    };
    if (fate.request === 'lost') {
      scene.count('requestsLost');
      return giveUp();
    }
    if (fate.request === 'rewritten') scene.count('bodiesRewritten');
    const isDelayed = fate.request === 'delayed';
    const travel = isDelayed ? random.whole(31_000, LONGEST_DELAY_MS) : random.whole(5, 300);
    if (isDelayed) {
      scene.count('requestsDelayed');
      if (random.chance(0.4)) hear(random.whole(5_000, 29_000), () => spoil(scene, 'html504', strange(504)));
      else hear(TIMEOUT_MS, () => noAnswer('timeout', TIMEOUT_MS));
    }
    const arrive = (ms: number, heard: (answer: Answer) => void): void => {
      scene.onTheWay.set(sent.key, (scene.onTheWay.get(sent.key) ?? 0) + 1);
      agenda.after(ms, async () => {
        scene.onTheWay.set(sent.key, (scene.onTheWay.get(sent.key) ?? 0) - 1);
        if ((scene.posts.get(sent.key) ?? 0) > resends) scene.count('arrivedAfterResend');
        const answer = await serve(scene, sent);
        scene.tell?.(`   ${sent.key} arrives: ${answer.status}${answer.replayed ? ' replayed' : ''}`);
        heard(answer);
      });
    };
    arrive(travel, (answer) => (isDelayed ? undefined : back(answer, fate, hear, giveUp)));
    if (fate.request === 'doubled') {
      scene.count('duplicates');
      arrive(travel + random.whole(0, random.chance(0.5) ? 2_000 : LONGEST_DELAY_MS), () => undefined);
    }
  }

  function back(
    answer: Answer,
    fate: Fate,
    hear: (ms: number, attempt: () => Attempt) => void,
    giveUp: () => void,
  ): void {
    if (fate.answer === 'lost') {
      scene.count('answersLost');
      return giveUp();
    }
    if (fate.answer === 'late') {
      scene.count('answersLate');
      return hear(TIMEOUT_MS, () => noAnswer('timeout', TIMEOUT_MS));
    }
    const spoiled = spoil(scene, fate.answer, answer);
    return hear(random.whole(5, random.chance(0.1) ? 20_000 : 400), () => spoiled);
  }

  function get(call: Call, hear: (ms: number, attempt: () => Attempt) => void): void {
    const account = admitted(call);
    if (!('at' in account)) return hear(random.whole(5, 80), () => account);
    const fate = readFateOf(random, scene.heat);
    if (scene.browser.offline || fate === 'lost') {
      scene.count('readsLost');
      return hear(random.whole(5, 40_000), () => noAnswer('network', 50));
    }
    const query = call.query === undefined ? '' : `?${call.query.toString()}`;
    const travel = fate === 'slow' ? random.whole(1_000, 40_000) : random.whole(5, 200);
    if (travel >= (call.timeoutMs ?? TIMEOUT_MS)) return hear(travel, () => noAnswer('timeout', travel));
    agenda.after(travel, async () => {
      if (!tab.alive) return;
      const answer = await read(account, `${call.path}${query}`);
      hear(random.whole(2, 100), () => spoilRead(scene, fate, answer));
    });
  }

  async function read(account: Account, target: string): Promise<Answer> {
    const date = serviceSeconds(scene);
    if (account.revoked) return answerBy(envelope(401, 'authentication_error'), date, 20);
    const isHidden = scene.listsUnknown && target.startsWith('/v1/withdrawals?');
    if (isHidden) scene.count('listsUnknown');
    if (isHidden) return answerBy(envelope(404, 'not_found'), date, 20);
    const served = await scene.service.get(account.at.apiKey, target);
    return answerBy(scene.listsLagSeconds > 0 ? lagging(scene, served) : served, date, 20);
  }

  /** The account that the gateway forwards for, or its refusal. */
  function admitted(call: Call): Account | Answer {
    const { cookie } = scene.browser;
    if (cookie === null) return strange(401, 'session');
    if (scene.mutation.gatewayForwardsAll === true || call.account === cookie.session.account) return cookie;
    return strange(409, 'account');
  }
}
