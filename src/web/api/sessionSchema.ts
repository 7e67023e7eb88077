import * as v from 'valibot';
import { id } from '#src/shared/contract/rows.ts';
import { PERMISSIONS } from '#src/shared/permissions.ts';

export const sessionSchema = v.pipe(
  v.object({
    service: v.pipe(v.string(), v.nonEmpty()),
    account: v.pipe(v.string(), v.nonEmpty()),
    /** As the server's settings name it; null with SIGN_IN=key. */
    account_name: v.optional(v.nullable(v.string()), null),
    /** Accounts on which the person has roles, including this one, sorted by name; empty with SIGN_IN=key. */
    accounts: v.optional(v.array(v.object({ account: v.string(), name: v.string() })), []),
    sandbox: v.nullable(v.string()),
    /** The person's permissions on this account. */
    permissions: v.array(v.string()),
    /** The server runs with READ_ONLY. */
    read_only: v.boolean(),
    /** Newer records may be missing after a restore: people can only look. */
    set_back: v.optional(v.boolean(), false),
    /** The name typed at sign-in, which is unverified, or the registered name of a person with a passkey; null if none. */
    name: v.optional(v.nullable(v.string()), null),
    /** The service refuses the key: its operations can be seen and closed, nothing else. */
    journal_only: v.optional(v.boolean(), false),
    /** The server sends notices about what needs attention. */
    has_notices: v.optional(v.boolean(), false),
    /** Id of the person who signed in; null with SIGN_IN=key. */
    person: v.optional(v.nullable(id), null),
  }),
  v.transform(
    ({
      account_name: accountName,
      has_notices: hasNotices,
      permissions,
      read_only,
      set_back: setBack,
      journal_only,
      person,
      ...session
    }) => ({
      ...session,
      accountName,
      hasNotices,
      person: person === null ? null : { id: person, name: session.name ?? '' },
      rights: {
        permissions: PERMISSIONS.filter((known) => permissions.includes(known)),
        readOnly: read_only,
        setBack,
        keyRefused: journal_only,
        ...(person === null && { hasKey: true }),
      },
    }),
  ),
);
export type Session = v.InferOutput<typeof sessionSchema>;
