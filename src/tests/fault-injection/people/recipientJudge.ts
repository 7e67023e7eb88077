import type { RecipientRules } from '#src/shared/policy/policy.ts';
import { type PeopleScene, databaseNow } from './peopleScene.ts';

const HOUR_MS = 60 * 60_000;

/** A name of an address, and who gave it. */
interface Named {
  name: string;
  by: string;
}

interface Confirmation {
  name: string;
  /** When it was made and from when it may count (0 without a wait), by the database's clock. */
  at: number;
  from: number;
  /** An answer has confirmed that it was recorded. */
  isSure: boolean;
  /** True only if certain: the address had another confirmed name before, or the name another address. */
  isChanged: boolean;
}

interface KnownRecipient {
  /** It has one of these names; empty if nobody named it. */
  names: Named[];
  /** The person who added it to the list; null if that isn't certain. */
  addedBy: string | null;
  /** Those that may be in force. */
  confirmations: Confirmation[];
  /** True only if certain. */
  isBlocked: boolean;
}

/** What the list says about the recipient of a payment. Each is true only if certain. */
export interface RecipientFlags {
  isUnlisted: boolean;
  isChanged: boolean;
}

/** When a confirmation must count at the latest, and when the address was last paid, by the database's clock. */
interface Moment {
  latest: number;
  paidAt: number;
}

/** How a request ended; 'unknown': it may or may not have been done. */
export type Ended = 'done' | 'refused' | 'unknown';

export type RecipientJudge = ReturnType<typeof createRecipientJudge>;

/** Records who named which address, who confirmed it, and who blocked it. */
export function createRecipientJudge(scene: PeopleScene) {
  let recipients = new Map<string, KnownRecipient>();
  /** Everything that was certainly confirmed at some time. */
  let confirmed: { address: string; name: string }[] = [];
  let kept: { recipients: typeof recipients; confirmed: typeof confirmed } | null = null;
  const { blame } = scene;

  function known(address: string): KnownRecipient {
    const found = recipients.get(address) ?? { names: [], addedBy: null, confirmations: [], isBlocked: false };
    recipients.set(address, found);
    return found;
  }

  /** The confirmations of a name that the address may have now. */
  function standing({ names, confirmations }: KnownRecipient): Confirmation[] {
    return confirmations.filter((one) => names.some(({ name }) => name === one.name));
  }

  return {
    namesOf: (address: string): readonly Named[] => known(address).names,
    addedBy: (address: string): string | null => known(address).addedBy,
    isBlocked: (address: string): boolean => known(address).isBlocked,

    /** Somebody is about to give an address this name. Returns what to call when the request has ended. */
    expectNaming: (address: string, name: string, by: string): ((ended: Ended) => void) => {
      const recipient = known(address);
      const before = recipient.names;
      // Writing the same name again doesn't change who gave it.
      const next = before.length === 0 ? [{ name, by }] : before.map((one) => (one.name === name ? one : { name, by }));
      recipient.names = [...before, ...next];
      return (ended) => {
        if (ended === 'unknown') return;
        recipient.names = ended === 'done' ? next : before;
        if (ended === 'done' && before.length === 0) recipient.addedBy = by;
      };
    },

    /** Somebody is about to confirm it under this name. `hours`: the wait until the confirmation counts. */
    expectConfirmation: (
      address: string,
      name: string,
      { by, hours }: { by: string; hours: number },
    ): ((ended: Ended) => void) => {
      const recipient = known(address);
      const { isBlocked: wasBlocked } = recipient;
      const at = databaseNow(scene);
      const mayBe = recipient.addedBy !== by && recipient.names.some((one) => one.name === name && one.by !== by);
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
          blame(
            'recipientTooEarly',
            `${by} confirms ${address} as ${name}, which they added or named so, or nobody did`,
          );
        recipient.confirmations = [{ ...confirmation, isSure: true }];
        recipient.isBlocked = false;
        confirmed.push({ address, name });
      };
    },

    /** An answer says that the recipient is blocked. */
    blocked: (address: string) => {
      const recipient = known(address);
      recipient.isBlocked = true;
      recipient.confirmations = [];
    },

    /** Without a confirmation it has changed if it had one, or if another address was confirmed under its name. */
    stateOf: (address: string, { latest, paidAt }: Moment): RecipientFlags => {
      const recipient = known(address);
      const stands = standing(recipient);
      const [only] = stands;
      const isChanged =
        only === undefined
          ? confirmed.some(
              (one) =>
                one.address === address || (recipient.names.length === 1 && one.name === recipient.names[0]?.name),
            )
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

/** The minimum of approvals that these rules ask for. */
export function askedByRecipient({ unlisted, changed }: RecipientRules, state: RecipientFlags): number {
  return Math.max(state.isUnlisted && unlisted !== 'refuse' ? unlisted : 0, state.isChanged ? changed : 0);
}
