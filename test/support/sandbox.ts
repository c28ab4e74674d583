import { connectSandbox } from '../../sandbox/client';

/** The sandbox that `startSandbox.ts` has started for all test files. */
export const sandbox = connectSandbox({
	url: process.env.SANDBOX_URL ?? '',
	otherUrl: process.env.SANDBOX_OTHER_URL ?? '',
});
