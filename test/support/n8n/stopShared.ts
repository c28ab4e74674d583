export default async function () {
	await (globalThis as { stopShared?: () => Promise<unknown> }).stopShared?.();
}
