import type { INodeProperties } from 'n8n-workflow';

/** Field names of the API, each with the label that the user sees in the panel. */
export type Labels = Readonly<Record<string, string>>;

/** Collects the labels of some fields and of all fields inside them, by the fields' names. */
export function labelsOf(fields: INodeProperties[]): Labels {
	const labels: Record<string, string> = {};
	const visit = (entries: NonNullable<INodeProperties['options']>) => {
		for (const entry of entries) {
			if (!('displayName' in entry)) continue;
			if ('values' in entry) {
				visit(entry.values);
			} else {
				labels[entry.name] = entry.displayName;
				visit(entry.options ?? []);
			}
		}
	};
	visit(fields);
	return labels;
}

/** The label of the field at a path of a request, such as `fieldMapping › 2 › column`: "Column of Field Mapping 3". */
export function labelAt(path: readonly PropertyKey[], labels: Labels): string {
	const names = path
		.filter((step) => typeof step !== 'number')
		.map((step) => labels[String(step)] ?? String(step));
	const position = path.find((step) => typeof step === 'number');
	if (names.length === 0) return 'The request';
	const outer = position === undefined ? names[0] : `${names[0]} ${Number(position) + 1}`;
	return names.length > 1 ? `${names[names.length - 1]} of ${outer}` : outer;
}
