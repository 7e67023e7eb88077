// Test support: where people of the tests sign in.
export const ORIGIN = 'https://money.example';
export const RP_ID = 'money.example';
