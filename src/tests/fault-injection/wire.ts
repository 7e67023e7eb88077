import type { AttemptResult, ServiceAnswer } from '#src/shared/answers.ts';
import type { Connection, ServicePort } from '#src/server/operations/ports.ts';
import { answerBy, frontEnvelope, noAnswer, strange } from './answers.ts';
import { fateOf, frontOf, readFateOf, splitFate } from './fates.ts';
import { type SentPost, serve } from './front.ts';
import { withOddHeaders } from './headers.ts';
import { asPaged } from './lists.ts';
import { asAltered, asStated } from './objects.ts';
import {
  type SimulatedAccount,
  type Scene,
  type SimulatedServer,
  serviceSeconds,
  needsADayOfSilence,
} from './scene.ts';
import { mayCutOff } from './cutOffs.ts';
import { asListed, spoil, spoilRead, wrongDate } from './spoils.ts';

const TIMEOUT_MS = 30_000;
const CONNECT_MS = 10_000;
const LONGEST_DELAY_MS = 30 * 60 * 1_000;
/** The service closes a connection that was idle for this long. */
const SILENCE_MS = 60 * 60 * 1_000;

type Posted = Parameters<Connection['post']>[0];
type Hear = (ms: number, attempt: () => AttemptResult) => void;

/** The connection between one server and the service. */
export function serviceOf(scene: Scene, server: SimulatedServer): ServicePort {
  const { agenda, random } = scene;
  const { machine } = server;

  /** The timeout covers the whole request, from now on. */
  function within(limit: number, begin: (hear: Hear) => void): Promise<AttemptResult> {
    agenda.stir();
    return new Promise((resolve) => {
      const sentAt = agenda.now();
      let isOver = false;
      begin((ms, attempt) => {
        const left = limit - (agenda.now() - sentAt);
        const come = (): void => {
          if (isOver) return;
          isOver = true;
          const isLate = ms > left || agenda.now() - sentAt > limit;
          agenda.stir();
          resolve(isLate ? noAnswer('timeout', limit) : attempt());
        };
        agenda.after(Math.min(ms, left), come, machine);
      });
    });
  }

  function connect(apiKey: string): Promise<Connection> {
    agenda.stir();
    const isRefused = random.chance(0.05 * scene.faultRate);
    const takes = random.chance(0.05 * scene.faultRate) ? random.whole(1_000, CONNECT_MS) : random.whole(2, 60);
    return new Promise((resolve, reject) => {
      const connected = (): void => {
        agenda.stir();
        if (isRefused) {
          scene.count('connectionsRefused');
          return reject(new Error('Nobody listens.'));
        }
        const since = agenda.now();
        let isOpen = true;
        return resolve({
          destroy: () => {
            isOpen = false;
          },
          post: (sent) => {
            const account = scene.accounts.find(({ at }) => at.apiKey === apiKey);
            scene.judge.posted(server, apiKey, sent);
            const isClosed = !isOpen || agenda.now() - since > SILENCE_MS;
            if (!account || isClosed) {
              scene.count('writtenToClosedSockets');
              return over(
                sent,
                within(TIMEOUT_MS, (hear) => hear(1, () => noAnswer('network', 1))),
              );
            }
            busy(server, sent.key, 1);
            const posted = within(TIMEOUT_MS, (hear) => post(account, sent, hear));
            return over(sent, posted).finally(() => busy(server, sent.key, -1));
          },
        });
      };
      agenda.after(takes, connected, machine);
    });
  }

  async function over(sent: Posted, posted: Promise<AttemptResult>): Promise<AttemptResult> {
    const attempt = await posted;
    scene.judge.ended(server, sent, attempt);
    return attempt;
  }

  function post(
    account: SimulatedAccount,
    { path, key, body }: { path: string; key: string; body: string },
    hear: Hear,
  ): void {
    const { overloads } = scene.worlds;
    const fate = isSplit(scene)
      ? splitFate(random)
      : fateOf(random, scene.faultRate, { overloads, needsADayOfSilence: needsADayOfSilence(scene) });
    mayCutOff(scene, server);
    const sent: SentPost = { account, path, key, body, fate };
    scene.tell?.(`${server.name} POSTs ${key} (${fate.request}, ${fate.front}, ${fate.answer})`);
    const resends = (scene.posts.get(key) ?? 0) + 1;
    scene.posts.set(key, resends);
    const giveUp = (): void => {
      const isTimeout = random.chance(0.5);
      const ms = isTimeout ? TIMEOUT_MS : random.whole(50, 29_000);
      hear(ms, () => noAnswer(isTimeout ? 'timeout' : 'network', ms));
    };
    if (fate.request === 'lost') {
      scene.count('requestsLost');
      return giveUp();
    }
    const isAnothers =
      fate.request === 'anothers' || (scene.worlds.repeatsIds && scene.faultRate > 0 && random.chance(0.7));
    if (isAnothers && path === '/v1/withdrawals') {
      const stale = scene.judge.answerOfAnother(account, key, body);
      if (stale !== null) {
        scene.count('idsRepeated');
        scene.tell?.(`   ${key} is answered with the answer to another`);
        return hear(random.whole(5, 400), () => stale);
      }
    }
    if (fate.request === 'rewritten') scene.count('bodiesRewritten');
    const isDelayed = fate.request === 'delayed';
    const travel = isDelayed ? random.whole(31_000, LONGEST_DELAY_MS) : random.whole(5, 300);
    if (isDelayed) {
      scene.count('requestsDelayed');
      if (random.chance(0.4)) hear(random.whole(5_000, 29_000), () => spoil(scene, 'html504', strange(504)));
      else hear(TIMEOUT_MS, () => noAnswer('timeout', TIMEOUT_MS));
    }
    const arrive = (ms: number, copy: SentPost, received: (answer: ServiceAnswer) => void): void => {
      scene.inTransit.set(key, (scene.inTransit.get(key) ?? 0) + 1);
      agenda.after(ms, async () => {
        if ((scene.posts.get(key) ?? 0) > resends) scene.count('arrivedAfterResend');
        const answer = await serve(scene, copy);
        scene.inTransit.set(key, (scene.inTransit.get(key) ?? 0) - 1);
        scene.tell?.(`   ${key} arrives: ${answer.status}${answer.replayed ? ' replayed' : ''}`);
        received(answer);
      });
    };
    arrive(travel, sent, (answer) => (isDelayed ? undefined : back(answer, sent, hear, giveUp)));
    if (fate.request === 'doubled') {
      scene.count('duplicates');
      const late = random.whole(0, random.chance(0.5) ? 2_000 : LONGEST_DELAY_MS);
      arrive(travel + late, copyOf(scene, sent), () => undefined);
    }
  }

  function back(answer: ServiceAnswer, { fate, path }: SentPost, hear: Hear, giveUp: () => void): void {
    if (fate.answer === 'lost') {
      scene.count('answersLost');
      return giveUp();
    }
    if (fate.answer === 'late') {
      scene.count('answersLate');
      return hear(TIMEOUT_MS, () => noAnswer('timeout', TIMEOUT_MS));
    }
    const stated = withOddHeaders(scene, asStated(scene, path, answer));
    const spoiled = wrongDate(scene, spoil(scene, fate.answer, stated));
    return hear(random.whole(5, random.chance(0.1) ? 20_000 : 400), () => spoiled);
  }

  function read(apiKey: string, target: string, timeoutMs = TIMEOUT_MS): Promise<AttemptResult> {
    return within(timeoutMs, (hear) => {
      const account = scene.accounts.find(({ at }) => at.apiKey === apiKey);
      const drawn = readFateOf(random, scene.faultRate, scene.badReadFate);
      // A list without addresses is useless to everyone.
      const isPartial = scene.worlds.altersObjects && scene.faultRate > 0 && random.chance(0.3);
      const fate = target.includes('?') ? (drawn === 'partial' ? 'clean' : drawn) : isPartial ? 'partial' : drawn;
      if (!account || fate === 'lost') {
        scene.count('readsLost');
        return hear(random.whole(5, 40_000), () => noAnswer('network', 50));
      }
      const travel = fate === 'slow' ? random.whole(1_000, 40_000) : random.whole(5, 200);
      if (travel >= timeoutMs) return hear(travel, () => noAnswer('timeout', travel));
      agenda.after(travel, async () => {
        if (!machine.alive) return;
        const answer = await readBy(account, target);
        hear(random.whole(2, 100), () => wrongDate(scene, spoilRead(scene, fate, withOddHeaders(scene, answer))));
      });
    });
  }

  async function readBy(account: SimulatedAccount, target: string): Promise<ServiceAnswer> {
    const date = serviceSeconds(scene);
    if (account.revoked) return answerBy(frontEnvelope(401, 'authentication_error'), date, 20);
    const isList = target.startsWith('/v1/withdrawals?');
    if (isList && scene.listsUnknown) {
      scene.count('listsUnknown');
      return answerBy(frontEnvelope(404, 'not_found'), date, 20);
    }
    const served = asAltered(scene, await scene.service.get(account.at.apiKey, target));
    return answerBy(isList ? asPaged(scene, asListed(scene, served), target) : served, date, 20);
  }

  const { service } = scene.database;
  const name = scene.mutation.spellingsAreServices === true || service === null ? server.spelling : service;
  return { name, read, connect };
}

/** Marks that the process may be about to send under the key or waits for the response. */
export function busy({ busy }: SimulatedServer, key: string, by: number): void {
  busy.set(key, (busy.get(key) ?? 0) + by);
}

function isSplit({ worlds, faultRate, random }: Scene): boolean {
  return worlds.splitsCopies && faultRate > 0 && random.chance(0.3);
}

/** A second copy, which the edge may treat differently from the first. */
function copyOf(scene: Scene, sent: SentPost): SentPost {
  const { random, worlds, judge } = scene;
  if (!worlds.splitsCopies || scene.faultRate === 0) return sent;
  const front = frontOf(random);
  if (front === sent.fate.front) return sent;
  scene.count('copiesSplit');
  // The exception in the README: a refusal of one copy only, which can't be distinguished from the service's own.
  if (sent.fate.front === 'refused') {
    scene.count('copiesRefused');
    judge.refusesOneCopy(sent.key);
  }
  return { ...sent, fate: { ...sent.fate, front } };
}
