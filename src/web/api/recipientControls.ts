import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type RecipientControl,
  recipientControlsSchema,
  type RecipientDecision,
  recipientDecisionsSchema,
  RECIPIENTS_PATH,
  type SeenRecipient,
} from '#src/shared/contract/recipientsContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { sendSigned, sendUnsigned } from './people.ts';
import { POLLED } from './polled.ts';
import { read } from './query.ts';
import { useSession } from './session.ts';
import { LOOK_MS, teamKey } from './team.ts';

// Which recipients are confirmed or blocked. Only with passkeys: with SIGN_IN=key no one confirms recipients.

/** Its key is below that of the team's list: invalidating the list reloads this, too. */
function controlsQuery(account: string) {
  return queryOptions({
    queryKey: [...teamKey(account, 'recipients'), 'controls'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, RecipientControl>> => {
      const { data } = await read(RECIPIENTS_PATH, undefined, parseWith(recipientControlsSchema), { account, signal });
      return new Map(data.data.map((control) => [control.id, control]));
    },
    refetchInterval: LOOK_MS,
    ...POLLED,
  });
}

function decisionsQuery(account: string, id: string) {
  return queryOptions({
    queryKey: [...teamKey(account, 'recipients'), 'decisions', id],
    queryFn: async ({ signal }): Promise<RecipientDecision[]> => {
      const path = `${RECIPIENTS_PATH}/${segment(id)}`;
      return (await read(path, undefined, parseWith(recipientDecisionsSchema), { account, signal })).data.data;
    },
  });
}

/** By the team's id of the address. No data with SIGN_IN=key. */
export function useRecipientControls() {
  const { account, person } = useSession();
  return useQuery({ ...controlsQuery(account), enabled: person !== null });
}

/** Every decision about one recipient, newest first. */
export function useRecipientDecisions(id: string) {
  const { account, person } = useSession();
  return useQuery({ ...decisionsQuery(account, id), enabled: person !== null });
}

/** Signed with a passkey; resolves with null if the person cancelled. */
export function useConfirmRecipients() {
  return useDecision((account, recipients: readonly SeenRecipient[]) =>
    sendSigned(account, `${RECIPIENTS_PATH}/confirm`, { recipients }),
  );
}

/** `reason` is visible to everyone on the account. */
export function useBlockRecipient(id: string) {
  return useDecision((account, reason: string) =>
    sendUnsigned({ method: 'POST', path: `${RECIPIENTS_PATH}/block`, body: stringifyExact({ id, reason }), account }),
  );
}

function useDecision<Input, Output>(decide: (account: string, input: Input) => Promise<Output>) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => decide(account, input),
    // Also after a failure: a lost response may have changed something.
    onSettled: () => client.invalidateQueries({ queryKey: teamKey(account, 'recipients') }),
  });
}
