/** Storage refused; `message` says why in plain words. */
export class StorageUnavailable extends Error {}
