import type { PasskeyRow } from '#src/server/people/peopleRows.ts';
import { isCounting } from '#src/server/people/passkeyRows.ts';
import type { People } from '#src/server/people/people.ts';
import type { ServerAccount } from '#src/server/people/serverAccounts.ts';
import type { PolicyAnswer } from '#src/shared/contract/policyContract.ts';
import type { RecipientControl } from '#src/shared/contract/recipientsContract.ts';
import { rolesOf } from '#src/shared/permissions.ts';
import { policyWords } from '#src/shared/policy/policyWords.ts';
import { revealHidden } from '#src/shared/text.ts';
import { isoUtc } from '#src/shared/time.ts';

interface DescribedPeople {
  people: Pick<People, 'list' | 'ownPasskeys' | 'readPolicy' | 'readRecipients'>;
  accounts: readonly Pick<ServerAccount, 'account' | 'name'>[];
}

type ListedPerson = Awaited<ReturnType<People['list']>>[number];

/** Lists who may do what on each account. Printed when a set-back ends, because an older copy may have restored access. */
export async function describePeople({ people, accounts }: DescribedPeople): Promise<string> {
  const described = await Promise.all(
    accounts.map(async ({ account, name }) => {
      const listed = await people.list(account);
      const passkeys = await Promise.all(listed.map(({ id }) => people.ownPasskeys(id)));
      const rights = { permissions: [], readOnly: false, keyRefused: false };
      const recipients = await people.readRecipients({ account, person: '', rights });
      return [
        `Account ${name}`,
        'People and their passkeys:',
        ...indented(
          listed.flatMap((person, at) => [personLine(person), ...indented(passkeyLines(passkeys[at] ?? []))]),
        ),
        ...policyLines(await people.readPolicy(account, null)),
        'Recipients:',
        ...indented(recipients.map(recipientLine)),
      ];
    }),
  );
  return [
    'These count now. Check what the older copy brought back, and block what should not be here:',
    ...described.flat(),
  ].join('\n');
}

/** "None." in place of no lines. */
function indented(lines: readonly string[]): string[] {
  return (lines.length === 0 ? ['None.'] : lines).map((line) => `  ${line}`);
}

function personLine({ name, state, permissions, waiting }: ListedPerson): string {
  const roles = rolesOf(permissions).join(', ') || 'no role';
  const given = rolesOf(waiting.map(({ permission }) => permission)).join(', ');
  return `${revealHidden(name)}: ${roles}${given === '' ? '' : `, not yet ${given}`} (${state})`;
}

function passkeyLines(passkeys: readonly PasskeyRow[]): string[] {
  if (passkeys.length === 0) return ['no passkey'];
  return passkeys.map((passkey) => {
    const code = isCounting(passkey) ? '' : ', waits for its code';
    return `passkey ${passkey.id.slice(0, 8)}… since ${isoUtc(Number(passkey.created_at) / 1_000)}${code}`;
  });
}

function policyLines({ in_force: inForce, is_broken: isBroken }: PolicyAnswer): string[] {
  if (isBroken) return ['Approval rules: not as this server wrote them, so nothing is sent.'];
  const version = inForce === null ? 'none chosen' : `version ${inForce.number}`;
  return [`Approval rules (${version}):`, ...indented(policyWords(inForce?.policy ?? null))];
}

function recipientLine({ name, id, state, decided_by: by, reason }: RecipientControl): string {
  const whom = by === null ? '' : ` by ${revealHidden(by.name)}`;
  const why = reason === null ? '' : `: “${revealHidden(reason)}”`;
  return `${revealHidden(name)} (${revealHidden(id)}): ${state}${whom}${why}`;
}
