import type { RecipientRules } from '#src/shared/policy/policy.ts';
import { type PeopleScene, databaseNow } from './peopleScene.ts';

const HOUR_MS = 60 * 60_000;

/** A name of an address, with who gave it. */
interface Named {
  name: string;
  by: string;
}

interface Confirmation {
  name: string;
  /** The database's clock; from when it may count, 0 without a wait. */
  at: number;
  from: number;
  /** An answer says so. */
  isSure: boolean;
  /** For sure, the address had another confirmed name before, or its name another address. */
  isChanged: boolean;
}

interface KnownRecipient {
  /** It has one of these names; none: nobody named it. */
  names: Named[];
  /** Those that may stand. */
  confirmations: Confirmation[];
  /** For sure. */
  isBlocked: boolean;
}

/** What a payment to an address is told by the list: both for sure. */
export interface RecipientState {
  isUnlisted: boolean;
  isChanged: boolean;
}

/** When a confirmation must count at the latest, and when the address was last paid: the database's clock. */
interface Moment {
  latest: number;
  paidAt: number;
}

/** How a request ended: it was done, it was not, or nobody knows. */
export type Ended = 'done' | 'refused' | 'unknown';

export type RecipientJudge = ReturnType<typeof createRecipientJudge>;

/** Knows who named which address, who confirmed it, and who blocked it. */
export function createRecipientJudge(scene: PeopleScene) {
  let recipients = new Map<string, KnownRecipient>();
  /** Everything that was ever confirmed, for sure. */
  let confirmed: { address: string; name: string }[] = [];
  let kept: { recipients: typeof recipients; confirmed: typeof confirmed } | null = null;
  const { blame } = scene;

  function known(address: string): KnownRecipient {
    const found = recipients.get(address) ?? { names: [], confirmations: [], isBlocked: false };
    recipients.set(address, found);
    return found;
  }

  /** Those of a name that the address may have now. */
  function standing({ names, confirmations }: KnownRecipient): Confirmation[] {
    return confirmations.filter((one) => names.some(({ name }) => name === one.name));
  }

  return {
    namesOf: (address: string): readonly Named[] => known(address).names,
    isBlocked: (address: string): boolean => known(address).isBlocked,

    /** Somebody is about to give an address this name. Returns what to call when the request has ended. */
    names: (address: string, name: string, by: string): ((ended: Ended) => void) => {
      const recipient = known(address);
      const before = recipient.names;
      // Whoever writes the same name again did not give it.
      const next = before.length === 0 ? [{ name, by }] : before.map((one) => (one.name === name ? one : { name, by }));
      recipient.names = [...before, ...next];
      return (ended) => {
        if (ended !== 'unknown') recipient.names = ended === 'done' ? next : before;
      };
    },

    /** Somebody is about to confirm it under this name; the policies that may be in force ask for one of these waits. */
    confirms: (
      address: string,
      name: string,
      { by, hours }: { by: string; hours: number },
    ): ((ended: Ended) => void) => {
      const recipient = known(address);
      const { isBlocked: wasBlocked } = recipient;
      const at = databaseNow(scene);
      const mayBe = recipient.names.some((one) => one.name === name && one.by !== by);
      const isChanged = confirmed.some((one) => (one.address === address) !== (one.name === name));
      const confirmation = { name, at, from: hours === 0 ? 0 : at + hours * HOUR_MS, isSure: false, isChanged };
      if (mayBe) {
        recipient.confirmations.push(confirmation);
        recipient.isBlocked = false;
      }
      return (ended) => {
        if (ended === 'unknown') return;
        if (ended === 'refused') {
          recipient.confirmations = recipient.confirmations.filter((one) => one !== confirmation);
          recipient.isBlocked = wasBlocked;
          return;
        }
        if (!mayBe)
          blame('recipientTooEarly', `${by} confirms ${address} as ${name}, which they named so or nobody did`);
        recipient.confirmations = [{ ...confirmation, isSure: true }];
        recipient.isBlocked = false;
        confirmed.push({ address, name });
      };
    },

    /** An answer says that it is blocked. */
    blocked: (address: string) => {
      const recipient = known(address);
      recipient.isBlocked = true;
      recipient.confirmations = [];
    },

    stateOf: (address: string, { latest, paidAt }: Moment): RecipientState => {
      const recipient = known(address);
      const stands = standing(recipient);
      const [only] = stands;
      const isChanged =
        only === undefined
          ? confirmed.some((one) => one.address === address)
          : stands.length === 1 && only.isSure && only.isChanged && paidAt <= only.at;
      return { isUnlisted: !stands.some(({ from }) => from <= latest), isChanged };
    },

    backedUp: () => {
      kept = structuredClone({ recipients, confirmed });
    },
    restored: () => {
      if (kept !== null) ({ recipients, confirmed } = kept);
      kept = null;
    },
  };
}

/** Approvals, at least, that these rules ask for. */
export function askedByRecipient({ unlisted, changed }: RecipientRules, state: RecipientState): number {
  return Math.max(state.isUnlisted && unlisted !== 'refuse' ? unlisted : 0, state.isChanged ? changed : 0);
}
