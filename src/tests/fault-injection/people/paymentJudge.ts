import type { Permission } from '#src/shared/permissions.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { Policy, PolicyStep } from '#src/shared/policy/policy.ts';
import { type PeopleProcess, type PeopleScene, databaseNow } from './peopleScene.ts';
import { askedByRecipient, type RecipientJudge, type RecipientFlags } from './recipientJudge.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The provider's clock has whole seconds, and is read before the write. */
const CLOCK_SLACK_MS = 2 * MINUTE_MS;
/** As in the model without people: a press holds for two minutes, retries begin for two more. */
const PRESS_MS = 5 * MINUTE_MS;
const WINDOW_MS = 23 * HOUR_MS + 4 * MINUTE_MS;
/** The longest time that a run of a batch lasts. */
const RUN_MS = 4 * HOUR_MS + CLOCK_SLACK_MS;
/** Without a policy every payment needs this many approvals, and waits for them for this many hours. */
const WITHOUT_POLICY = { approvals: 1, hours: 72 };

const RIGHT_TO = { send: 'prepare', approve: 'approve' } as const;

/** A person's signature over a payment. */
interface KnownSignature {
  decision: 'send' | 'approve';
  person: string;
  passkey: string;
  body: string;
  /** By the database's clock. */
  at: number;
  /** The person has lost the right since they signed, even if they have it again. */
  isOver: boolean;
}

interface KnownPayment {
  /** The batch that it is a line of; null for a single payment. */
  batch: string | null;
  maker: string | null;
  /** Its maker has lost the right to prepare payments since, even if they have it again. */
  isMakersOver: boolean;
  /** The body in the database now. */
  body: string;
  recordedAt: number;
  /** The same moment by the database's clock. */
  recordedBy: number;
  /** The longest that it may wait for approvals. */
  hours: number;
  /** The approvals that it needed when it was recorded. */
  recorded: Need;
  /** The most approvals that a server said it needs. */
  statedNeed: number;
  /** Whether it may have waited for approvals. */
  mayWait: boolean;
  signatures: KnownSignature[];
  /** When a server first began to send it, by the true clock; null before. */
  sentAt: number | null;
  /** When a server last began to send it, by the database's clock. */
  lastSentBy: number;
  /** The approvals that it had or needed then. */
  approvals: number;
  /** True once a server records that it sends the payment, until one records that nothing left. */
  mayHaveLeft: boolean;
  wasPosted: boolean;
  wasExecuted: boolean;
  /** An approver has stopped its resends. */
  isStopped: boolean;
  /** Why it must never be sent; null if it may be. */
  ending: string | null;
}

/** The approvals that a policy asks for: in total, without its limits, and without its recipient rules. */
interface Need {
  needs: number;
  withoutLimits: number;
  withoutRecipients: number;
}

interface PaymentJudgeParts {
  scene: PeopleScene;
  /** At most these: an unanswered request may have given a permission. */
  permissionsOf: (person: string) => ReadonlySet<Permission>;
  mayCount: (person: string, passkey: string) => boolean;
  recipients: RecipientJudge;
  /** True only if the session has certainly ended. */
  hasEnded: (token: string) => boolean;
}

/** A run that may be sending a batch since somebody pressed Start. */
interface KnownRun {
  startedAt: number;
  person: string | null;
  token: string | null;
  /** One of these runs it: the request to start it may have arrived twice. */
  processes: readonly PeopleProcess[];
  isStopped: boolean;
  /** Somebody has started the batch again since, perhaps on another server. */
  isReplaced: boolean;
}

export type PaymentJudge = ReturnType<typeof createPaymentJudge>;

/** Records who signed which payment and when, which policy was in force and what was sent, and checks each send against that. */
export function createPaymentJudge({ scene, permissionsOf, mayCount, recipients, hasEnded }: PaymentJudgeParts) {
  const payments = new Map<string, KnownPayment>();
  const pressedAt = new Map<string, number>();
  /** The possible runs of each batch, newest last. */
  const runs = new Map<string, KnownRun[]>();
  /** The policies that may be in force: several while a change is being written. Null: no policy. */
  let inForce: (Policy | null)[] = [null];
  let kept = inForce;
  const { blame } = scene;

  function satoshis(amount: string): bigint {
    const [whole = '0', decimals = ''] = amount.split('.');
    return BigInt(whole + decimals.padEnd(8, '0'));
  }

  function fieldsOf({ body }: KnownPayment): { amount: bigint; address: string } {
    const { amount = '0', address = '' } = readWithdrawalBody(body) ?? {};
    return { amount: satoshis(amount), address };
  }

  /** Whether the payment is within the limits of a step, together with the payments of the 24 hours before it. */
  function fits({ approvals, each, day, count }: PolicyStep, payment: KnownPayment): boolean {
    const together = togetherWith(payment);
    const amount = together.reduce((total, one) => total + fieldsOf(one).amount, 0n);
    const since = scene.now - 24 * HOUR_MS + CLOCK_SLACK_MS;
    const earlier = [...payments].filter(
      ([, one]) =>
        !together.includes(one) && one.wasExecuted && (one.sentAt ?? 0) > since && one.approvals <= approvals,
    );
    const sum = earlier.reduce((total, [, one]) => total + fieldsOf(one).amount, amount);
    const counted = new Set(earlier.map(([key, one]) => one.batch ?? key));
    return amount <= satoshis(each) && sum <= satoshis(day) && counted.size + 1 <= count;
  }

  /** The payment, or all lines of its batch, sent or not. */
  function togetherWith(payment: KnownPayment): KnownPayment[] {
    const { batch } = payment;
    return batch === null ? [payment] : [...payments.values()].filter((one) => one.batch === batch);
  }

  function needBy(policy: Policy | null, payment: KnownPayment): Need {
    if (policy === null) {
      const { approvals: needs } = WITHOUT_POLICY;
      return { needs, withoutLimits: needs, withoutRecipients: needs };
    }
    const { steps, above } = policy.assets[0] ?? { steps: [], above: policy.other_assets };
    const together = togetherWith(payment);
    const least = together.some((one) => isFirst(one, payment)) ? policy.recipients.first_payment : 0;
    const byRecipient = Math.max(
      ...together.map((one) => askedByRecipient(policy.recipients, recipientOf(one, payment.wasPosted))),
    );
    const byAmount = steps.find((one) => fits(one, payment))?.approvals ?? above;
    return {
      needs: Math.max(least, byRecipient, byAmount),
      withoutLimits: Math.max(least, byRecipient, steps[0]?.approvals ?? above),
      withoutRecipients: Math.max(least, byAmount),
    };
  }

  /** Whether no payment has reached its address yet, apart from the payment being judged. */
  function isFirst(payment: KnownPayment, judged: KnownPayment): boolean {
    const { address } = fieldsOf(payment);
    return ![...payments.values()].some(
      (one) => one !== judged && one.wasExecuted && fieldsOf(one).address === address,
    );
  }

  /** The state of its recipient in the team's list; true only where that is certain. */
  function recipientOf(payment: KnownPayment, wasPosted: boolean): RecipientFlags {
    const { address } = fieldsOf(payment);
    const paid = [...payments.values()].filter((one) => one.wasExecuted && fieldsOf(one).address === address);
    // An automatic retry doesn't read the provider's clock.
    const clocks = wasPosted ? scene.servers.map(({ host }) => scene.now + host.skew) : [];
    const latest = Math.min(databaseNow(scene), Math.max(scene.now, ...clocks));
    return recipients.stateOf(address, { latest, paidAt: Math.max(0, ...paid.map((one) => one.lastSentBy)) });
  }

  function judgeRecipient(key: string, payment: KnownPayment): void {
    const { address } = fieldsOf(payment);
    if (recipients.isBlocked(address)) return blame('barredRecipient', `${key} is sent to a blocked recipient`);
    const isRefused = inForce.every((policy) => policy?.recipients.unlisted === 'refuse');
    if (isRefused && recipientOf(payment, payment.wasPosted).isUnlisted)
      blame('barredRecipient', `${key} is sent to a recipient that isn't confirmed, and the policy refuses that`);
  }

  /** The lowest need under the policies that may be in force. */
  function needOf(payment: KnownPayment): Need {
    const all = inForce.map((policy) => needBy(policy, payment));
    return {
      needs: Math.min(...all.map(({ needs }) => needs)),
      withoutLimits: Math.min(...all.map(({ withoutLimits }) => withoutLimits)),
      withoutRecipients: Math.min(...all.map(({ withoutRecipients }) => withoutRecipients)),
    };
  }

  /** The signatures over the current body that may count now. */
  function counting(payment: KnownPayment, decision: KnownSignature['decision']): KnownSignature[] {
    return payment.signatures.filter(
      (one) =>
        one.decision === decision &&
        one.body === payment.body &&
        !one.isOver &&
        mayCount(one.person, one.passkey) &&
        permissionsOf(one.person).has(RIGHT_TO[decision]),
    );
  }

  function judgeSignatures(key: string, payment: KnownPayment): void {
    const { maker, statedNeed, recorded } = payment;
    const need = needOf(payment);
    const asked = Math.max(statedNeed, recorded.needs, need.needs);
    const withoutLimits = Math.max(statedNeed, recorded.withoutLimits, need.withoutLimits);
    const withoutRecipients = Math.max(statedNeed, recorded.withoutRecipients, need.withoutRecipients);
    const approvals = counting(payment, 'approve');
    const people = new Set(approvals.flatMap(({ person }) => (person === maker ? [] : person)));
    payment.approvals = Math.max(payment.approvals, asked, people.size);
    if (maker === null || payment.isMakersOver || !permissionsOf(maker).has('prepare'))
      blame('unsigned', `${key} is sent, and ${maker ?? 'nobody'}, who prepared it, may not send or was blocked since`);
    if (asked === 0 && people.size === 0) {
      if (!counting(payment, 'send').some(({ person }) => person === maker))
        blame('unsigned', `${key} is sent, and no signature of its maker counts`);
      return;
    }
    if (people.size >= asked) return;
    const found = `${key} is sent with ${people.size} approvals of ${asked}`;
    if (approvals.length >= asked) blame('selfApproved', `${found}: its maker counts, or one person twice`);
    else if (people.size >= withoutLimits) blame('overLimit', `${found}, over a limit`);
    else if (people.size >= withoutRecipients) blame('recipientTooEarly', `${found}, because of its recipient`);
    else blame('unsigned', found);
  }

  /** If a server was killed before its POST, nobody knows that nothing was sent, so the next send is a resend. */
  function isFirstSend({ mayHaveLeft, wasPosted }: KnownPayment): boolean {
    return !mayHaveLeft && !wasPosted;
  }

  function judgeTimes(key: string, payment: KnownPayment, process: PeopleProcess): void {
    const { recordedAt, sentAt, mayWait, hours, ending, isStopped } = payment;
    if (ending !== null) blame('afterNo', `${key} is sent, and it was ${ending}`);
    if (isStopped) blame('afterNo', `${key} is sent, and its resends were stopped`);
    const isFirst = isFirstSend(payment);
    const isPressed = scene.now - (pressedAt.get(key) ?? 0) <= PRESS_MS;
    if (payment.batch !== null && (isFirst || !isPressed)) judgeRun(key, payment.batch, process);
    else if (!isPressed) blame('unasked', `${key} is sent, and nobody pressed Send`);
    if (isFirst && mayWait && scene.now - recordedAt > hours * HOUR_MS + CLOCK_SLACK_MS)
      blame('afterNo', `${key} is sent after the ${hours} hours in which it could be approved`);
    const begun = mayWait ? (sentAt ?? scene.now) : recordedAt;
    if ((!isFirst || !mayWait) && scene.now - begun > WINDOW_MS) blame('late', `${key} is sent after 23 hours`);
  }

  /** A line must be sent, and sent again without a press of Resend, by a run that somebody started here and nobody stopped. */
  function judgeRun(key: string, batch: string, process: PeopleProcess): void {
    const all = runs.get(batch) ?? [];
    const own = all.filter((run) => run.processes.includes(process) && scene.now - run.startedAt <= RUN_MS);
    if (own.length === 0) return blame('unasked', `${key} is sent, and nobody started its batch here`);
    const current = own.filter(({ isReplaced }) => !isReplaced);
    if (current.length === 0) return blame('unasked', `${key} is sent by a run of its batch that another one replaced`);
    const lasting = current.filter(({ isStopped }) => !isStopped);
    if (lasting.length === 0) return blame('afterNo', `${key} is sent, and its batch was stopped`);
    if (lasting.every(({ token }) => token === null || hasEnded(token)))
      return blame('withoutSession', `${key} is sent, and the session of whoever started its batch had ended`);
    if (!lasting.some(({ person }) => person !== null && permissionsOf(person).has('prepare')))
      blame('withoutRight', `${key} is sent, and whoever started its batch may not send`);
  }

  function stopsRun(batch: string): void {
    for (const run of runs.get(batch) ?? []) run.isStopped = true;
  }

  function newPayment(
    { maker, body, batch }: { maker: string | null; body: string; batch: string | null },
    hours: number,
  ): KnownPayment {
    return {
      batch,
      maker,
      isMakersOver: false,
      body,
      recordedAt: scene.now,
      recordedBy: databaseNow(scene),
      hours,
      recorded: { needs: 0, withoutLimits: 0, withoutRecipients: 0 },
      statedNeed: 0,
      mayWait: batch !== null,
      signatures: [],
      sentAt: null,
      lastSentBy: 0,
      approvals: 0,
      mayHaveLeft: false,
      wasPosted: false,
      wasExecuted: false,
      isStopped: false,
      ending: null,
    };
  }

  function hoursToWait(): number {
    return Math.max(...inForce.map((policy) => policy?.expires_hours ?? WITHOUT_POLICY.hours));
  }

  return {
    payments: payments as ReadonlyMap<string, Readonly<KnownPayment>>,
    pressed: (key: string) => void pressedAt.set(key, scene.now),
    /** The last approval also sends a single payment; lines are sent by the run of their batch. */
    approvalPressed: (keys: readonly string[]) => {
      for (const key of keys) if (payments.get(key)?.batch == null) pressedAt.set(key, scene.now);
    },

    policies: (): readonly (Policy | null)[] => inForce,
    /** While a change is being written, either policy may be in force. */
    policyChanges: (next: Policy) => {
      inForce = [...inForce, next];
    },
    policyChanged: () => {
      inForce = inForce.slice(-1);
    },

    /** Somebody is about to record a payment. `passkey`: null if they sign nothing. */
    expectRecord: (
      key: string,
      { maker, body }: { maker: string | null; body: string },
      passkey: string | null,
    ): Readonly<KnownPayment> => {
      const payment = newPayment({ maker, body, batch: null }, hoursToWait());
      payments.set(key, payment);
      payment.recorded = needOf(payment);
      payment.mayWait = payment.recorded.needs > 0;
      const at = databaseNow(scene);
      if (maker !== null && passkey !== null)
        payment.signatures.push({ decision: 'send', person: maker, passkey, body, at, isOver: false });
      return payment;
    },
    /** Somebody is about to record a batch. Returns how many approvals it needs. */
    expectBatch: (
      id: string,
      lines: readonly { key: string; body: string }[],
      { maker, passkey }: { maker: string | null; passkey: string },
    ): number => {
      const hours = hoursToWait();
      const at = databaseNow(scene);
      const recorded = lines.map(({ key, body }) => {
        const payment = newPayment({ maker, body, batch: id }, hours);
        payments.set(key, payment);
        if (maker !== null)
          payment.signatures.push({ decision: 'send', person: maker, passkey, body, at, isOver: false });
        return payment;
      });
      for (const payment of recorded) payment.recorded = needOf(payment);
      return Math.max(...recorded.map(({ recorded: { needs } }) => needs));
    },
    /** Somebody is about to start a batch. Returns what to call when it is known that it was started, or refused. */
    expectRun: (batch: string, of: Pick<KnownRun, 'person' | 'token' | 'processes'>) => {
      const run: KnownRun = { ...of, startedAt: scene.now, isStopped: false, isReplaced: false };
      const earlier = runs.get(batch) ?? [];
      runs.set(batch, [...earlier, run]);
      return {
        started: (): void => {
          for (const one of earlier) one.isReplaced = true;
        },
        refused: (): void => {
          runs.set(
            batch,
            (runs.get(batch) ?? []).filter((one) => one !== run),
          );
        },
      };
    },
    stopsRun,
    /** All lines of the batch that had not left may have been rejected now: then its run is over, too. */
    rejectedRest: (batch: string) => {
      const lines = [...payments.values()].filter((one) => one.batch === batch);
      if (lines.every(({ wasPosted, ending }) => wasPosted || ending !== null)) stopsRun(batch);
    },

    /** The request to prepare it had no signature of its maker. */
    notSigned: (key: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.signatures = [];
    },

    /** Somebody is about to approve what they were shown. Returns what to call if that was not recorded. */
    expectApproval: (key: string, person: string, passkey: string): (() => void) => {
      const payment = payments.get(key);
      if (payment === undefined) return () => undefined;
      const at = databaseNow(scene);
      const signature = { decision: 'approve' as const, person, passkey, body: payment.body, at, isOver: false };
      payment.signatures.push(signature);
      return () => {
        payment.signatures = payment.signatures.filter((one) => one !== signature);
      };
    },

    /** A server said that the payment needs this many approvals. */
    noteStatedNeed: (key: string, needs: number) => {
      const payment = payments.get(key);
      if (payment === undefined) return;
      payment.statedNeed = Math.max(payment.statedNeed, needs);
      if (needs > 0) payment.mayWait = true;
    },

    /** A server said that the payment ended without being sent. */
    noteEnded: (key: string, how: string) => {
      const payment = payments.get(key);
      if (payment === undefined) return;
      if (payment.wasPosted && payment.ending === null) blame('afterNo', `${key} was sent, and is said to be ${how}`);
      payment.ending ??= how;
    },

    /** A server said that the payment is never resent. */
    stopped: (key: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.isStopped = true;
    },

    /** Somebody wrote another body into the database. */
    tampered: (key: string, body: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.body = body;
    },

    /** From now on the person has only these permissions. */
    rightsAre: (person: string, permissions: readonly Permission[]) => {
      // If the database's clock went back, records and signatures from before look newer than this change, and are skipped.
      const now = databaseNow(scene);
      const lacks = (right: Permission): boolean => !permissions.includes(right);
      for (const payment of payments.values()) {
        const { maker, recordedBy, signatures } = payment;
        if (maker === person && lacks('prepare') && recordedBy < now) payment.isMakersOver = true;
        for (const one of signatures)
          if (one.person === person && lacks(RIGHT_TO[one.decision]) && one.at < now) one.isOver = true;
      }
    },

    /** A server has committed that it is sending the payment. */
    judgeSend: (key: string, process: PeopleProcess) => {
      const payment = payments.get(key);
      if (payment === undefined) return blame('unsigned', `${key} is sent, and nobody prepared it`);
      const isFirst = isFirstSend(payment);
      judgeTimes(key, payment, process);
      judgeSignatures(key, payment);
      judgeRecipient(key, payment);
      if (isFirst) payment.sentAt = scene.now;
      payment.mayHaveLeft = true;
      payment.lastSentBy = databaseNow(scene);
    },

    /** A server has committed that the payment waits, as nothing of it left. */
    waitsAgain: (key: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.mayHaveLeft = false;
    },

    posted: (key: string, body: string) => {
      const payment = payments.get(key);
      if (payment === undefined) return blame('unrecorded', `a payment leaves under ${key}, which nobody recorded`);
      if (payment.sentAt === null) blame('unrecorded', `${key} leaves, and no server recorded that it does`);
      if (payment.body !== body) blame('unsigned', `${key} is sent with other bytes than were signed`);
      // A server that began before the stop and was frozen must not send its bytes after it.
      if (payment.isStopped) blame('afterNo', `${key} leaves, and its resends were stopped`);
      payment.wasPosted = true;
    },
    executed: (key: string) => {
      const payment = payments.get(key);
      if (payment === undefined || payment.wasExecuted) return;
      payment.wasExecuted = true;
      if (payment.batch !== null) scene.count('linesExecuted');
      if (payment.approvals > 0) scene.count('paymentsApprovedAndSent');
      if (payment.approvals > 1) scene.count('paymentsNeedingTwo');
      if (recipients.namesOf(fieldsOf(payment).address).length > 0) scene.count('recipientsPaid');
    },

    policiesBackedUp: () => {
      kept = inForce;
    },
    policiesRestored: () => {
      inForce = kept;
    },
  };
}
