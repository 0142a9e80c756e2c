/** Credentials. So far API keys from the environment. */

export { type Credential, type CredentialChoice, chooseCredential } from "./credential.ts";
