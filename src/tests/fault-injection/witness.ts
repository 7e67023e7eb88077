import type { BatchList, BatchView } from '#src/shared/contract/batchContract.ts';
import type { ErrorExtras, OperationView } from '#src/shared/contract/gatewayContract.ts';
import type { SimulatedAccount, Scene, SimulatedServer, OperationsCall, PageReply } from './scene.ts';

interface Stated {
  call: OperationsCall;
  reply: PageReply;
  views: OperationView[];
  extras: ErrorExtras;
  /** When it was requested, or could first be known. */
  at: number;
}

/** Compares what a server says about operations with the truth, whoever receives it. */
export function witness(
  scene: Scene,
  { name }: SimulatedServer,
  account: SimulatedAccount,
  { call, reply, views, extras, at }: Stated,
): void {
  const { judge, tell } = scene;
  const { method, path } = call;
  tell?.(`${name} answers ${method} ${path || '/'}: ${reply.status} ${reply.code ?? ''}`);
  for (const { operation } of views) {
    judge.shows(operation, name, at);
    if (!isReadableBy(scene, account, operation.key)) {
      judge.blame('astray', `${name} shows ${operation.key} to ${account.name}`);
    }
  }
  const [, key, act] = path.split('/');
  if (key !== undefined && key !== 'review' && extras.not_sent !== undefined) judge.saysNotSent(key, name, at);
  const { operation } = views[0] ?? {};
  if (operation === undefined || reply.status >= 300) return;
  if (method === 'PUT' && operation.body !== valueIn(call.body, 'body')) {
    judge.blame('unrecorded', `${name} takes ${operation.key} for another one`);
  }
  // An attempt without a connection is recorded whatever the record's state is by then.
  const isActed = act === 'close' || act === 'not-sent' || (act === 'send' && operation.state === 'sending');
  if (isActed && operation.revision !== Number(valueIn(call.body, 'revision')) + 1) {
    judge.blame('unasked', `${name} takes "${act}" of ${operation.key} for another revision than was seen`);
  }
}

/** Whether the key belongs to the account, or to another API key of the same account at the service. */
function isReadableBy({ accounts, database }: Scene, account: SimulatedAccount, key: string): boolean {
  const owner = database.records.get(key)?.account;
  return owner === undefined || accounts.some(({ name, at }) => name === owner && at.id === account.at.id);
}

function valueIn(body: object | undefined, name: string): unknown {
  return (body as Record<string, unknown> | undefined)?.[name];
}

/** Compares what a server says about a batch with the truth. */
export function witnessBatch(
  scene: Scene,
  { name }: SimulatedServer,
  account: SimulatedAccount,
  { call, reply, view, at }: Pick<Stated, 'call' | 'reply' | 'at'> & { view: BatchView | null },
): void {
  const { judge, database, tell } = scene;
  tell?.(`${name} answers ${call.method} batches${call.path}: ${reply.status} ${reply.code ?? ''}`);
  const listed = 'data' in reply.body ? (reply.body as BatchList).data : [];
  for (const { id } of view === null ? listed : [view.batch]) {
    const owner = database.batches.get(id)?.account;
    if (owner !== undefined && owner !== account.name) judge.blame('astray', `${name} shows ${id} to ${account.name}`);
  }
  if (view === null) {
    if (reply.status < 300 && 'batch' in reply.body)
      judge.blame('crashes', `${name} answers with no batch as declared`);
    return;
  }
  const { batch, lines } = view;
  for (const { key, state } of lines) judge.showsState(key, state, name, at);
  const [, id, command] = call.path.split('/');
  if (reply.status === 200 && id === batch.id)
    judge.batches.commandAccepted({ id, command, body: call.body }, name, at);
}
