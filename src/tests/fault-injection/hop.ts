import { BATCHES_PATH, type BatchView, batchViewSchema } from '#src/shared/contract/batchContract.ts';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import type { ErrorExtras, OperationList, OperationView } from '#src/shared/contract/gatewayContract.ts';
import { markToKeep } from '#src/web/api/journalMark.ts';
import * as v from 'valibot';
import { wayFateOf } from './fates.ts';
import { SessionEnded } from '#src/server/people/actor.ts';
import type {
  OperationsCall,
  PageReply,
  Scene,
  SessionCookie,
  SimulatedAccount,
  SimulatedPage,
  SimulatedServer,
} from './scene.ts';
import { actorOf } from './servers.ts';
import { demote } from './demotion.ts';
import { witness, witnessBatch } from './witness.ts';

const TIMEOUT_MS = 30_000;
const LONGEST_DELAY_MS = 30 * 60 * 1_000;

/** No response: status 0. */
const NOTHING: PageReply = { status: 0, code: null, body: {} };

/** Sends a page's request; each copy is processed separately, by whichever server receives it. */
export function ask(scene: Scene, page: SimulatedPage, call: OperationsCall): Promise<PageReply> {
  const { agenda, random } = scene;
  const { profile, machine } = page;
  agenda.stir();
  return new Promise((resolve) => {
    let isOver = false;
    const hear = (ms: number, reply: PageReply, mark: string | null = null): void =>
      agenda.after(
        ms,
        () => {
          if (mark !== null && profile.cookie !== null) keepMark(page, mark, brought);
          if (isOver) return;
          isOver = true;
          agenda.stir();
          resolve(reply);
        },
        machine,
      );
    const brought = {
      cookie: profile.cookie,
      cookieMark: profile.cookie?.mark,
      account: page.account,
      mark: page.mark,
    };
    hear(TIMEOUT_MS, NOTHING);
    if (profile.offline) {
      scene.count('offline');
      return hear(1, NOTHING);
    }
    const fate = wayFateOf(random, scene.faultRate, call.method === 'GET');
    const go = (ms: number, isHeard: boolean): void =>
      agenda.after(ms, () => {
        arrive(scene, page, call, brought, (reply, mark) => {
          if (isHeard) hear(random.whole(2, 60), reply, mark);
        });
      });
    switch (fate) {
      case 'lost':
        scene.count('pageRequestsLost');
        return hear(random.whole(20, TIMEOUT_MS), NOTHING);
      case 'delayed':
        scene.count('pageRequestsDelayed');
        go(random.whole(31_000, LONGEST_DELAY_MS), false);
        return hear(random.whole(1_000, TIMEOUT_MS), random.chance(0.4) ? htmlOf(504) : NOTHING);
      case 'doubled':
        scene.count('pageRequestsDoubled');
        // The browser's own second copy, on another socket; the first response counts.
        go(random.whole(2, 80), random.chance(0.6));
        return go(random.whole(2, random.chance(0.5) ? 3_000 : LONGEST_DELAY_MS), true);
      case 'answerLost':
        scene.count('pageAnswersLost');
        go(random.whole(2, 80), false);
        return hear(random.whole(100, TIMEOUT_MS), NOTHING);
      case 'html':
        scene.count('proxyHtml');
        if (random.chance(0.5)) go(random.whole(2, 80), false);
        return hear(random.whole(5, 500), htmlOf(random.pick([403, 404, 502, 503])));
      case 'refused':
        scene.count('gatewayRefusals');
        // A server with another secret, or one that isn't ready, received one copy; another copy may hang.
        if (random.chance(0.5)) go(random.whole(31_000, LONGEST_DELAY_MS), false);
        return hear(random.whole(5, 200), random.pick(REFUSALS));
      case 'clean':
        return go(random.whole(2, 60), true);
    }
  });
}

interface Brought {
  cookie: SessionCookie | null;
  cookieMark: string | null | undefined;
  account: SimulatedAccount | null;
  mark: SimulatedPage['mark'];
}

/** `mark`: the journal's mark in the response. */
type Answered = (reply: PageReply, mark?: string | null) => void;

function arrive(scene: Scene, page: SimulatedPage, call: OperationsCall, brought: Brought, answered: Answered): void {
  const { random, agenda } = scene;
  const server = scene.servers.length === 0 ? undefined : random.pick(scene.servers);
  if (server === undefined) return answered(plain(502, 'bad_gateway'));
  const handle = async (): Promise<void> => {
    agenda.stir();
    const { cookie, account, mark } = brought;
    if (cookie === null) return answered(plain(401, 'no_session'));
    const isMeant = cookie.account === account || scene.mutation.skipsAccountCheck === true;
    if (!isMeant) return answered(plain(409, 'account_mismatch'));
    const actor = actorOf(scene, server, cookie.account, cookie.journalOnly, page.profile.name, cookie.session);
    // The right was taken away a moment ago, and this server doesn't know yet.
    if (scene.demotes && scene.demotionRandom.chance(0.01 * scene.faultRate)) demote(scene, cookie);
    const isDemoted = scene.demotedSessions.has(cookie.session);
    const request = requestOf(scene, call);
    const marks = [...forgedMarks(scene), ...[mark, cookie.mark].filter((mark) => mark !== null)];
    const arrivedAt = agenda.now();
    if (call.under === BATCHES_PATH) scene.judge.batches.requestArrived(server, call.path, cookie.session);
    try {
      const response = await server.handle(request, { actor, marks });
      agenda.stir();
      const reply = await heardOf(response);
      judgeSession(scene, server, { cookie, call, reply, arrivedAt, isDemoted });
      // Judged by what could be known at the request; if the browser has a mark of lost writes, by that.
      const isWitness = reply.status !== 503 && marks.some((mark) => scene.lostMarks.has(mark));
      if (isWitness) scene.judge.witnessed('setBacksToldByBrowsers');
      const at = isWitness ? agenda.now() : arrivedAt;
      const stated = { call, reply, at };
      if (call.under === BATCHES_PATH)
        witnessBatch(scene, server, cookie.account, { ...stated, view: batchViewIn(reply) });
      else witness(scene, server, cookie.account, { ...stated, views: viewsIn(reply), extras: extrasOf(reply) });
      answered(reply, response.headers.get(JOURNAL_HEADER));
    } catch (error) {
      if (error instanceof SessionEnded) return answered(plain(401, 'no_session'));
      scene.judge.blame('crashes', `${server.name}, ${call.method} ${call.path}: ${String(error)}`);
      answered(plain(500, 'internal'));
    }
  };
  agenda.after(0, () => void handle(), server.machine);
}

interface SessionUse {
  cookie: SessionCookie;
  call: OperationsCall;
  reply: PageReply;
  arrivedAt: number;
  /** Whether the session had lost its right before the request was handled. */
  isDemoted: boolean;
}

/** A session that has ended, or lost the right, records and sends nothing. */
function judgeSession(
  scene: Scene,
  server: SimulatedServer,
  { cookie, call, reply, arrivedAt, isDemoted }: SessionUse,
): void {
  const endedAt = scene.endedSessions.get(cookie.session);
  const hasEnded = endedAt !== undefined && endedAt < arrivedAt;
  if (!hasEnded && !isDemoted) return;
  const isRecorded = call.method === 'PUT' && reply.status === 201;
  const isDone = /\/(send|close|not-sent|start|stop|withdraw|exclude)$/.test(call.path) && reply.status === 200;
  if (!isRecorded && !isDone) return;
  const done = `${server.name} does ${call.method} ${call.path} for`;
  if (hasEnded) scene.judge.blame('withoutSession', `${done} a session that has ended`);
  else scene.judge.blame('withoutRight', `${done} somebody who may only view`);
}

function requestOf(scene: Scene, call: OperationsCall): Request {
  const { method } = call;
  const url = `http://dashboard${call.under ?? OPERATIONS_PATH}${call.path}?${new URLSearchParams(call.query).toString()}`;
  if (call.body === undefined) return new Request(url, { method });
  return new Request(url, { method, body: JSON.stringify(scene.mutation.readBody?.(scene, call) ?? call.body) });
}

/** Every operation in a response. */
export function viewsIn({ status, body }: PageReply): OperationView[] {
  if (status === 200 || status === 201) {
    if ('data' in body) return operationListIn(body).data;
    return 'operation' in body ? [body as OperationView] : [];
  }
  const { view } = extrasOf({ status, code: null, body });
  return view === undefined ? [] : [view];
}

/** Null for a response without a batch. */
export function batchViewIn({ body }: PageReply): BatchView | null {
  const view = v.safeParse(batchViewSchema, 'view' in body ? body.view : body);
  return view.success ? view.output : null;
}

export function operationListIn(body: object): OperationList {
  return body as OperationList;
}

export function extrasOf({ body }: PageReply): ErrorExtras {
  return body;
}

function codeOf(body: object): string | null {
  return 'error' in body ? String((body.error as { code?: unknown }).code) : null;
}

/** The server's message if it refused. */
export function messageOf({ body }: PageReply): string | null {
  return 'error' in body ? String((body.error as { message?: unknown }).message) : null;
}

async function heardOf(response: Response): Promise<PageReply> {
  const body = (await response.json()) as object;
  return { status: response.status, code: codeOf(body), body };
}

function htmlOf(status: number): PageReply {
  return { status, code: null, body: {} };
}

function plain(status: number, code: string): PageReply {
  return { status, code, body: { error: { type: 'gateway_error', code, message: '', request_id: 'gw' } } };
}

/** Refusals by a server that isn't the one with the record, or that doesn't recognize the session. */
const REFUSALS = [
  plain(401, 'no_session'),
  plain(403, 'read_only'),
  plain(404, 'not_recorded'),
  plain(409, 'account_mismatch'),
  plain(429, 'too_many'),
  plain(503, 'not_ready'),
];

/** The page keeps a mark by its own rule; a browser accepts every Set-Cookie. */
function keepMark(page: SimulatedPage, mark: string, brought: Brought): void {
  const { cookie } = page.profile;
  page.mark = markToKeep(page.mark, mark, brought.mark);
  if (cookie !== null && brought.cookieMark !== mark) cookie.mark = mark;
}

/** Marks that no server created: typed by a person, or set as a cookie by another port of this host. */
function forgedMarks({ random, faultRate, marks, database, count }: Scene): string[] {
  if (!random.chance(0.02 * faultRate)) return [];
  count('marksForged');
  const latest = marks.write(database.latest ?? { id: 'jnl', position: 0n, nonce: 'n' });
  const [id, position, nonce, mac] = latest.split(' ');
  return [
    random.pick([
      'x 1',
      `${id} 999999999999999`,
      `x 1 n ${mac}`,
      `${id} 999999999999999999 ${nonce} ${mac}`,
      `${id} ${position} lost ${mac}`,
    ]),
  ];
}
