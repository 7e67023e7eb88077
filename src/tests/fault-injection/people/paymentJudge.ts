import type { Permission } from '#src/shared/permissions.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import type { Policy, PolicyStep } from '#src/shared/policy/policy.ts';
import { type PeopleScene, databaseNow } from './peopleScene.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The provider's clock has whole seconds, and is read before the write. */
const CLOCK_SLACK_MS = 2 * MINUTE_MS;
/** As in the model without people: a press holds for two minutes, retries begin for two more. */
const PRESS_MS = 5 * MINUTE_MS;
const WINDOW_MS = 23 * HOUR_MS + 4 * MINUTE_MS;
/** Approvals that every payment of an account without a policy needs, and for how many hours it waits for them. */
const WITHOUT_POLICY = { approvals: 1, hours: 72 };

const RIGHT_TO = { send: 'prepare', approve: 'approve' } as const;

/** What a person signed of a payment. */
interface KnownSignature {
  decision: 'send' | 'approve';
  person: string;
  passkey: string;
  body: string;
  /** By the database's clock. */
  at: number;
  /** The person has lost the right since, whether or not they have it again. */
  isOver: boolean;
}

interface KnownPayment {
  maker: string | null;
  /** Its maker has lost the right to prepare payments since, whether or not they have it again. */
  isMakersOver: boolean;
  /** The body in the database now. */
  body: string;
  recordedAt: number;
  /** The same, by the database's clock. */
  recordedBy: number;
  /** The longest that it may wait for approvals. */
  hours: number;
  /** What it needed when it was recorded. */
  recorded: Need;
  /** The most approvals that a person was told it needs. */
  told: number;
  /** Whether it may have waited for approvals. */
  mayWait: boolean;
  signatures: KnownSignature[];
  /** When it first began to leave, by the true clock; null before. */
  sentAt: number | null;
  /** The approvals that it had then. */
  approvals: number;
  wasPosted: boolean;
  wasExecuted: boolean;
  /** Why it must never be sent any more. */
  ending: string | null;
}

/** How many approvals a policy asks for, and how many without its limits. */
interface Need {
  needs: number;
  withoutLimits: number;
}

interface PaymentJudgeParts {
  scene: PeopleScene;
  /** At most these. */
  permissionsOf: (person: string) => ReadonlySet<Permission>;
  mayCount: (person: string, passkey: string) => boolean;
}

export type PaymentJudge = ReturnType<typeof createPaymentJudge>;

/** Knows who signed which payment and when, which policy was in force, and what left; compares what leaves with it. */
export function createPaymentJudge({ scene, permissionsOf, mayCount }: PaymentJudgeParts) {
  const payments = new Map<string, KnownPayment>();
  const pressedAt = new Map<string, number>();
  /** More than one while a change is being written. Null: none. */
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

  /** Whether the payment keeps the limits of a step, with what left within 24 hours before it. */
  function fits({ approvals, each, day, count }: PolicyStep, payment: KnownPayment): boolean {
    const { amount } = fieldsOf(payment);
    const since = scene.now - 24 * HOUR_MS + CLOCK_SLACK_MS;
    const earlier = [...payments.values()].filter(
      (one) => one !== payment && one.wasExecuted && (one.sentAt ?? 0) > since && one.approvals <= approvals,
    );
    const sum = earlier.reduce((total, one) => total + fieldsOf(one).amount, amount);
    return amount <= satoshis(each) && sum <= satoshis(day) && earlier.length + 1 <= count;
  }

  function needBy(policy: Policy | null, payment: KnownPayment): Need {
    if (policy === null) return { needs: WITHOUT_POLICY.approvals, withoutLimits: WITHOUT_POLICY.approvals };
    const { steps, above } = policy.assets[0] ?? { steps: [], above: policy.other_assets };
    const { address } = fieldsOf(payment);
    const isFirst = ![...payments.values()].some(
      (one) => one !== payment && one.wasExecuted && fieldsOf(one).address === address,
    );
    const least = isFirst ? policy.recipients.first_payment : 0;
    const step = steps.find((one) => fits(one, payment));
    return {
      needs: Math.max(least, step?.approvals ?? above),
      withoutLimits: Math.max(least, steps[0]?.approvals ?? above),
    };
  }

  /** At least what the policy in force asks for. */
  function needOf(payment: KnownPayment): Need {
    const all = inForce.map((policy) => needBy(policy, payment));
    return {
      needs: Math.min(...all.map(({ needs }) => needs)),
      withoutLimits: Math.min(...all.map(({ withoutLimits }) => withoutLimits)),
    };
  }

  /** The signatures that may count now, over what would be sent. */
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
    const { maker, told, recorded } = payment;
    const need = needOf(payment);
    const asked = Math.max(told, recorded.needs, need.needs);
    const withoutLimits = Math.max(told, recorded.withoutLimits, need.withoutLimits);
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
    else blame('unsigned', found);
  }

  function judgeTimes(key: string, payment: KnownPayment): void {
    const { recordedAt, sentAt, wasPosted, mayWait, hours, ending } = payment;
    if (ending !== null) blame('afterNo', `${key} is sent, and it was ${ending}`);
    if (scene.now - (pressedAt.get(key) ?? 0) > PRESS_MS) blame('unasked', `${key} is sent, and nobody pressed Send`);
    const isFirst = !wasPosted;
    if (isFirst && mayWait && scene.now - recordedAt > hours * HOUR_MS + CLOCK_SLACK_MS)
      blame('afterNo', `${key} is sent after the ${hours} hours in which it could be approved`);
    const begun = mayWait ? (sentAt ?? scene.now) : recordedAt;
    if ((!isFirst || !mayWait) && scene.now - begun > WINDOW_MS) blame('late', `${key} is sent after 23 hours`);
  }

  return {
    payments: payments as ReadonlyMap<string, Readonly<KnownPayment>>,
    pressed: (key: string) => void pressedAt.set(key, scene.now),

    /** While a change is being written, either policy may be in force. */
    policyChanges: (next: Policy) => {
      inForce = [...inForce, next];
    },
    policyChanged: () => {
      inForce = inForce.slice(-1);
    },

    /** Somebody is about to record a payment. `passkey`: null if they sign nothing. */
    records: (
      key: string,
      { maker, body }: { maker: string | null; body: string },
      passkey: string | null,
    ): Readonly<KnownPayment> => {
      const hours = Math.max(...inForce.map((policy) => policy?.expires_hours ?? WITHOUT_POLICY.hours));
      const payment: KnownPayment = {
        maker,
        isMakersOver: false,
        body,
        recordedAt: scene.now,
        recordedBy: databaseNow(scene),
        hours,
        recorded: { needs: 0, withoutLimits: 0 },
        told: 0,
        mayWait: false,
        signatures: [],
        sentAt: null,
        approvals: 0,
        wasPosted: false,
        wasExecuted: false,
        ending: null,
      };
      payments.set(key, payment);
      payment.recorded = needOf(payment);
      payment.mayWait = payment.recorded.needs > 0;
      const at = databaseNow(scene);
      if (maker !== null && passkey !== null)
        payment.signatures.push({ decision: 'send', person: maker, passkey, body, at, isOver: false });
      return payment;
    },
    /** Its maker has signed nothing. */
    notSigned: (key: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.signatures = [];
    },

    /** Somebody is about to approve what they were shown. Returns what to call if that was not recorded. */
    approves: (key: string, person: string, passkey: string): (() => void) => {
      const payment = payments.get(key);
      if (payment === undefined) return () => undefined;
      const at = databaseNow(scene);
      const signature = { decision: 'approve' as const, person, passkey, body: payment.body, at, isOver: false };
      payment.signatures.push(signature);
      return () => {
        payment.signatures = payment.signatures.filter((one) => one !== signature);
      };
    },

    /** A server told people how many approvals it needs. */
    told: (key: string, needs: number) => {
      const payment = payments.get(key);
      if (payment === undefined) return;
      payment.told = Math.max(payment.told, needs);
      if (needs > 0) payment.mayWait = true;
    },

    /** A server told people that it ends without being sent. */
    ends: (key: string, how: string) => {
      const payment = payments.get(key);
      if (payment === undefined) return;
      if (payment.wasPosted && payment.ending === null) blame('afterNo', `${key} was sent, and is said to be ${how}`);
      payment.ending ??= how;
    },

    /** Somebody wrote another body into the database. */
    tampered: (key: string, body: string) => {
      const payment = payments.get(key);
      if (payment !== undefined) payment.body = body;
    },

    /** From now on the person has only these permissions. */
    rightsAre: (person: string, permissions: readonly Permission[]) => {
      // Where the database's clock went back, what was recorded or signed before looks newer than what follows.
      const now = databaseNow(scene);
      const lacks = (right: Permission): boolean => !permissions.includes(right);
      for (const payment of payments.values()) {
        const { maker, recordedBy, signatures } = payment;
        if (maker === person && lacks('prepare') && recordedBy < now) payment.isMakersOver = true;
        for (const one of signatures)
          if (one.person === person && lacks(RIGHT_TO[one.decision]) && one.at < now) one.isOver = true;
      }
    },

    /** A server has committed that it sends this now. */
    begins: (key: string) => {
      const payment = payments.get(key);
      if (payment === undefined) return blame('unsigned', `${key} is sent, and nobody prepared it`);
      const isFirst = !payment.wasPosted;
      judgeTimes(key, payment);
      judgeSignatures(key, payment);
      if (isFirst) payment.sentAt = scene.now;
    },

    posted: (key: string, body: string) => {
      const payment = payments.get(key);
      if (payment === undefined) return;
      if (payment.sentAt === null) blame('unrecorded', `${key} leaves, and no server recorded that it does`);
      if (payment.body !== body) blame('unsigned', `${key} is sent with other bytes than were signed`);
      payment.wasPosted = true;
    },
    executed: (key: string) => {
      const payment = payments.get(key);
      if (payment === undefined || payment.wasExecuted) return;
      payment.wasExecuted = true;
      if (payment.approvals > 0) scene.count('paymentsApprovedAndSent');
      if (payment.approvals > 1) scene.count('paymentsNeedingTwo');
    },

    policiesBackedUp: () => {
      kept = inForce;
    },
    policiesRestored: () => {
      inForce = kept;
    },
  };
}
