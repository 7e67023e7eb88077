import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { holdsUntil, cacheOperation, type ReceivedReview } from '#src/web/api/operations/operations.ts';
import { pendingStartsSettled, startOperation, valuesOfDraft } from '#src/web/api/operations/pendingStarts.ts';
import { discardOperation, recordAndSend } from '#src/web/api/operations/recordOperation.ts';
import { useSession } from '#src/web/api/session.ts';
import { type LocationState, locationState, readLocationState } from '#src/web/storage/locationState.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import type { OperationKind, OperationRequest } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { paths } from '#src/shared/paths.ts';
import { type Draft, draftName, forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { useSubmit, type FieldSchema, schemaResolver } from './FormFields.tsx';
import { useDuplicateCheck } from './useDuplicateCheck.ts';
import { useSignature } from './useSignature.ts';

interface SendFormOptions<Values extends Record<string, string>> {
  kind: OperationKind;
  /** `input`: the values of a draft, or from another page. */
  initial: (input: Record<string, string>) => DefaultValues<Values>;
  fields: (typed: Values) => Record<keyof Values, FieldSchema>;
  request: (values: Values) => OperationRequest | null;
  /** Called with the valid values instead of sending them. */
  onReview?: (values: Values) => void;
  onStarted?: (key: string) => void;
  /** Called when the server has recorded the operation. The form may have unmounted by then. */
  onRecorded?: () => void;
  /** Goes to an operation's page, replacing the form in the history. */
  leave?: (path: string, state?: LocationState) => void;
}

/** Without `form`, whose type depends on the fields. */
export type SendForm = Omit<ReturnType<typeof useSendForm>, 'form'>;

/** A form that sends once, under one key, after a duplicate check; then the operation's page replaces it. */
export function useSendForm<Values extends Record<string, string>>(options: SendFormOptions<Values>) {
  const { kind, initial, fields, request: requestOf, onReview, onStarted, onRecorded } = options;
  const session = useSession();
  const { account } = session;
  const navigate = useNavigate();
  // One key per mounted form: with a new key per click or retry, each could pay again.
  const [key] = useState(() => newKey());
  const name = draftName(session, kind);
  const { state, key: entry } = useLocation();
  const [{ values: input, draft: restored, round }, setInput] = useState(() => initialInput(name, entry, state));
  const form = useForm<Values>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: initial(input),
    resolver: schemaResolver(fields),
  });
  const draft = useDraft(name, entry, form, restored);
  const duplicates = useDuplicateCheck(account);
  const begin = useStart(kind, key);
  const signature = useSignature();
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
    draft.keepAsTyped();
    draft.stopKeeping();
    leaveFor(review.existing, locationState({ instead: kind }));
    return null;
  };

  const checkAndSend = async (request: OperationRequest): Promise<void> => {
    const shown = duplicates.review;
    const review = duplicates.freshReview(request) ?? (await check(request));
    if (review === null || !duplicates.maySend(request, review)) return;
    const needs = review.approval?.needs;
    // If the number of approvals has changed, the button has another label than the person pressed: let them press again.
    if (shown !== null && shown.approval?.needs !== needs) return;
    const secondSendOf = review.of.map(({ id }) => id);
    const isSigned = KIND[kind].pays && (needs ?? 0) === 0;
    const proof = isSigned
      ? await signature.sign({ key, body: request.body, second_send_of: secondSendOf })
      : undefined;
    if (proof === null || isOver.current) return;
    const values = form.getValues();
    // The draft is deleted when sending begins, and restored if another operation turns out to block this one.
    begin(
      request,
      { review, proof },
      { onRecorded, onBlocked: () => keepDraft(name, { entry, values, at: unixNow() }) },
    );
    draft.forget(Promise.resolve().then(pendingStartsSettled));
    onStarted?.(key);
    leaveFor(key);
  };

  const send = (request: OperationRequest): void => {
    // Set before the first await, so that an immediate second click sees it.
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

  /** Empties the form. It keeps its key, under which nothing was sent. */
  const startOver = (): void => {
    duplicates.reset();
    form.reset(initial({}));
    draft.restart();
    setInput((before) => ({ values: {}, draft: null, round: before.round + 1 }));
  };

  return {
    kind,
    key,
    form,
    /** When the restored draft was typed; null without a draft, or if nothing in it was typed by the person. */
    draftAt: restored?.untouched === true ? null : (restored?.at ?? null),
    startOver,
    round,
    isBlank: Object.keys(input).length === 0,
    duplicates,
    signature,
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
  return (
    sent: OperationRequest,
    { review: { of, now, receivedMs, approval }, proof }: { review: ReceivedReview; proof: Proof | undefined },
    { onRecorded, onBlocked }: { onRecorded: (() => void) | undefined; onBlocked: () => void },
  ): void => {
    const { path, body } = sent;
    const secondSendOf = of.map(({ id }) => id);
    const notAfter = holdsUntil({ databaseNow: now, receivedMs });
    const request = {
      kind,
      path,
      body,
      second_send_of: secondSendOf,
      not_after: notAfter,
      ...(proof && { proof }),
      ...(approval && { needs: approval.needs }),
    };
    startOperation(
      { key, account, kind, notAfter, values: KIND[kind].formOf(sent) ?? {} },
      {
        record: () => recordAndSend(account, key, request),
        discard: () => discardOperation(account, key),
        onRecorded: (view) => {
          cacheOperation(client, account, view);
          onRecorded?.();
        },
        onBlocked,
      },
    );
  };
}

/** Saves the values for a reload or a visit to another page, until the form is sent or cancelled. */
function useDraft<Values extends FieldValues & Record<string, string>>(
  name: string,
  entry: string,
  { subscribe, getValues }: UseFormReturn<Values>,
  restored: Draft | null,
) {
  const isKept = useRef(true);
  const changed = useRef<Pick<Draft, 'at' | 'untouched'>>(restored ?? { at: unixNow(), untouched: true });
  const keep = useCallback(() => {
    const { at, untouched } = changed.current;
    if (isKept.current) keepDraft(name, { entry, values: getValues(), at, untouched });
  }, [name, entry, getValues]);
  useEffect(() => {
    keep();
    return subscribe({
      formState: { values: true, dirtyFields: true },
      callback: ({ dirtyFields = {} }) => {
        // Values that the form fills in by itself make no field dirty.
        if (Object.keys(dirtyFields).length > 0) changed.current = { at: unixNow() };
        keep();
      },
    });
  }, [subscribe, keep]);
  const stopKeeping = (): void => {
    isKept.current = false;
  };
  return {
    stopKeeping,
    /** Keeps values that came from another page as if they had been typed. */
    keepAsTyped: (): void => {
      changed.current = { at: unixNow() };
      keep();
    },
    restart: (): void => {
      changed.current = { at: unixNow(), untouched: true };
      keep();
    },
    /** The draft stays available until `leaving` resolves, because a reload may lead back to this form. */
    forget: (leaving?: Promise<void>): void => {
      stopKeeping();
      forgetDraft(name, leaving);
    },
  };
}

function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

interface InitialInput {
  values: Record<string, string>;
  /** The draft that the values come from. */
  draft: Draft | null;
  /** Counts how often the form was started over. */
  round: number;
}

/** The form's initial values: the draft of this history entry, else values from another page, else a typed draft of this form. */
function initialInput(name: string, entry: string, state: unknown): InitialInput {
  const { draft: startName, prefill = {}, resume = false } = readLocationState(state);
  const prefilled = startName === undefined ? prefill : valuesOfDraft(startName);
  const draft = readDraft(name);
  const isWanted =
    draft?.entry === entry || (Object.keys(prefilled).length === 0 && (resume || draft?.untouched !== true));
  if (draft !== null && isWanted) return { values: draft.values, draft, round: 0 };
  return { values: prefilled, draft: null, round: 0 };
}
