/*
 * Where services differ from the reference and from each other. `docs/compatibility.md` says by
 * number what some services do. This table says which function makes up for it, so that what calls
 * the function need not know. A test compares the table with the page and with the source.
 */

/** The name of the function that serves a difference, by the number of the difference. */
export const differences = {
	1: 'tellMissing',
	2: 'isListMissing',
	3: 'readWorkspace',
	4: 'withPageSize',
	5: 'noteCutList',
	6: 'readPages',
	7: 'readPage',
	8: 'findChannelListEndpoint',
	9: 'withChannelType',
	10: 'retryRecognition',
	11: 'requireExisting',
	12: 'refuseGoneFlow',
	13: 'writePart',
	14: 'checkedContactFilter',
	15: 'sortsBy',
	16: 'searchContactPages',
	17: 'channelConditions',
	18: 'findContactsWith',
	19: 'withOtherForms',
	20: 'explainTaken',
	21: 'getInputFileName',
	22: 'importById',
	23: 'keepOne',
	24: 'readRetryAfter',
	25: 'getContactRepliedAt',
	26: 'readIssues',
	27: 'readFilteredConversations',
	28: 'findAssignee',
	29: 'findTemplate',
	30: 'toTemplateData',
	31: 'calledTag',
	32: 'withValueType',
} as const;
