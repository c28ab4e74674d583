/** What is found out about a service by asking it; kept for a workspace for an hour, because releases replace each other. */
export class Service {
	/** When it was begun to find things out, in milliseconds since 1970. */
	readonly since = Date.now();

	private readonly findings = new Map<string, Promise<unknown>>();

	/** The largest page that lists give without refusing, by the list's path. */
	readonly largestPages = new Map<string, number>();

	/** What the records of a list lack unless it is asked for, as `include` calls it, by the list's path. */
	readonly includes = new Map<string, string[]>();

	/** How many records a list shows where it is known to be cut, by the list's path. */
	readonly cutLists = new Map<string, number>();

	/** Asks once, whoever wants to know; after a failure, the next one to want to know asks again. */
	async once<T>(what: string, ask: () => Promise<T>): Promise<T> {
		let finding = this.findings.get(what) as Promise<T> | undefined;
		if (!finding) {
			finding = ask();
			this.findings.set(what, finding);
			finding.catch(() => this.findings.delete(what));
		}
		return await finding;
	}
}
