import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { holdsUntil, keepView, type ReceivedReview } from '#src/web/api/operations/operations.ts';
import { pendingStartsSettled, startOperation, valuesOfDraft } from '#src/web/api/operations/pendingStarts.ts';
import { discardOperation, recordAndSend } from '#src/web/api/operations/recordOperation.ts';
import { useSession } from '#src/web/api/session.ts';
import { type LocationState, locationState, readLocationState } from '#src/web/storage/locationState.ts';
import type { OperationKind, OperationRequest } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { paths } from '#src/shared/paths.ts';
import { forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { useSubmit, type FieldSchema, schemaResolver } from './FormFields.tsx';
import { useDuplicateCheck } from './useDuplicateCheck.ts';

interface SendFormOptions<Values extends Record<string, string>> {
  kind: OperationKind;
  /** `input`: the values of a draft, or from another page. */
  initial: (input: Record<string, string>) => DefaultValues<Values>;
  fields: (typed: Values) => Record<keyof Values, FieldSchema>;
  request: (values: Values) => OperationRequest | null;
  /** Called with the valid values instead of sending them. */
  onReview?: (values: Values) => void;
  onStarted?: (key: string) => void;
  /** Goes to an operation's page, replacing the form in the history. */
  leave?: (path: string, state?: LocationState) => void;
}

/** Without `form`, whose type depends on the fields. */
export type SendForm = Omit<ReturnType<typeof useSendForm>, 'form'>;

/** A form that sends once, under one key, after a duplicate check; then the operation's page replaces it. */
export function useSendForm<Values extends Record<string, string>>(options: SendFormOptions<Values>) {
  const { kind, initial, fields, request: requestOf, onReview, onStarted } = options;
  const { service, account } = useSession();
  const navigate = useNavigate();
  // One key per mounted form: with a key per click or retry, each of them could pay again.
  const [key] = useState(() => newKey());
  const name = `${service} ${account} ${kind}`;
  const { state, key: entry } = useLocation();
  const [input] = useState(() => initialInput(name, entry, state));
  const form = useForm<Values>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: initial(input),
    resolver: schemaResolver(fields),
  });
  const draft = useDraft(name, entry, form);
  const duplicates = useDuplicateCheck(account);
  const begin = useStart(kind, key);
  const isSending = useRef(false);
  const isOver = useRef(false);
  const [hasLeft, setHasLeft] = useState(false);

  const leaveFor = (operation: string, to?: LocationState): void => {
    isOver.current = true;
    setHasLeft(true);
    const path = paths.operation(operation);
    if (options.leave) options.leave(path, to);
    else void navigate(path, { replace: true, state: to ?? null });
  };

  const check = async (request: OperationRequest): Promise<ReceivedReview | null> => {
    const review = await duplicates.check(request);
    if (review === null || isOver.current) return null;
    if (review.existing === null) return review;
    // An unresolved operation blocks this destination. The draft stays, for when that one is resolved.
    draft.stopKeeping();
    leaveFor(review.existing, locationState({ instead: true }));
    return null;
  };

  const checkAndSend = async (request: OperationRequest): Promise<void> => {
    const review = duplicates.freshReview(request) ?? (await check(request));
    if (review === null || !duplicates.maySend(request, review)) return;
    begin(request, review);
    draft.forget(Promise.resolve().then(pendingStartsSettled));
    onStarted?.(key);
    leaveFor(key);
  };

  const send = (request: OperationRequest): void => {
    // Set before the first await, so that a second click at once finds it.
    if (isSending.current || isOver.current) return;
    isSending.current = true;
    void checkAndSend(request).finally(() => {
      isSending.current = false;
    });
  };

  const submit = useSubmit(form, (values) => {
    const request = requestOf(values);
    if (onReview) onReview(values);
    else if (request) send(request);
  });

  /** Leaves the form for another page and forgets what was typed. */
  const cancel = (path: string): void => {
    draft.forget();
    void navigate(path);
  };

  const isBlank = Object.keys(input).length === 0;
  return {
    kind,
    key,
    form,
    isBlank,
    duplicates,
    check: (request: OperationRequest) => void check(request),
    send,
    submit,
    cancel,
    hasLeft,
  };
}

/** Asks the server to record and send a reviewed request under the form's key. */
function useStart(kind: OperationKind, key: string) {
  const client = useQueryClient();
  const { account } = useSession();
  return (sent: OperationRequest, { of, now, receivedMs }: ReceivedReview): void => {
    const { path, body } = sent;
    const secondSendOf = of.map(({ id }) => id);
    const notAfter = holdsUntil({ databaseNow: now, receivedMs });
    const request = { kind, path, body, second_send_of: secondSendOf, not_after: notAfter };
    startOperation(
      { key, account, kind, notAfter, values: KIND[kind].formOf(sent) ?? {} },
      {
        record: () => recordAndSend(account, key, request),
        discard: () => discardOperation(account, key),
        onRecorded: (view) => keepView(client, account, view),
      },
    );
  };
}

/** Saves the typed values for a reload or a visit to another page, until the form is sent or cancelled. */
function useDraft<Values extends FieldValues & Record<string, string>>(
  name: string,
  entry: string,
  { subscribe, getValues }: UseFormReturn<Values>,
) {
  const isKept = useRef(true);
  useEffect(() => {
    const keep = () => {
      if (isKept.current) keepDraft(name, { entry, values: getValues() });
    };
    keep();
    return subscribe({ formState: { values: true }, callback: keep });
  }, [subscribe, getValues, name, entry]);
  const stopKeeping = (): void => {
    isKept.current = false;
  };
  return {
    stopKeeping,
    /** `leaving`: until it resolves, a reload may lead back to this form. */
    forget: (leaving?: Promise<void>): void => {
      stopKeeping();
      forgetDraft(name, leaving);
    },
  };
}

/** First the draft of this history entry, then values from another page, then any draft of this form. */
function initialInput(name: string, entry: string, state: unknown): Record<string, string> {
  const { draft: draftName, prefill = {} } = readLocationState(state);
  const prefilled = draftName === undefined ? prefill : valuesOfDraft(draftName);
  const draft = readDraft(name);
  if (draft === null) return prefilled;
  return draft.entry === entry || Object.keys(prefilled).length === 0 ? draft.values : prefilled;
}
