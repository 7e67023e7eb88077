import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from './session.ts';

/** `onSuccess` runs even if the calling component has unmounted by then. */
export function useSignOut(onSuccess: () => void = () => undefined) {
  return useMutation({ ...signOutMutation(useQueryClient()), onSuccess });
}

/** Signs out as if the session had expired: the person signs in again and returns to this page. */
export function useSignInAgain() {
  return useMutation({ ...signOutMutation(useQueryClient()), mutationFn: () => signOut('expired') });
}

/** Cancels the reads under way: after the sign-out the server would refuse them. */
export function signOutMutation(client: QueryClient) {
  return mutationOptions({
    mutationFn: () => signOut(),
    onMutate: () => client.cancelQueries(),
    onError: () => void client.invalidateQueries(),
  });
}
