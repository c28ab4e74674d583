/*
 * Faults that a careless change could make, one line each, over all folders of the nodes. A user
 * would feel each of them. `run.ts` plants them one at a time and writes down in `caught.json` which
 * tests catch them.
 */

/** A line of the source, and a wrong one in its place. */
export interface Fault {
	/** What breaks, in plain English; no two faults have the same. */
	name: string;
	/** In nodes/WorkspaceMessaging. */
	file: string;
	/** The line, without the white space around it; the file has it exactly once. */
	before: string;
	/** The wrong line; empty if the line gets lost. */
	after: string;
	/** The files and folders of test/ that are run: few, and each could catch it. */
	tests: string[];
	/** Why no test catches it; without this, the run fails if it escapes. */
	knownToEscape?: string;
}

export const faults: Fault[] = [
	// contract
	{
		name: 'A message may have 1,001 characters',
		file: 'contract/limits.ts',
		before: 'text: { min: 1, max: 1000 },',
		after: 'text: { min: 1, max: 1001 },',
		tests: ['unit/contract.test.ts', 'engine/errors/limits.test.ts'],
	},
	{
		name: 'Messenger is taken to be closed after a day, not after a week',
		file: 'contract/limits.ts',
		before: 'answerHours: { whatsapp: 24, messenger: 168, instagram: 168 },',
		after: 'answerHours: { whatsapp: 24, messenger: 24, instagram: 168 },',
		tests: ['engine/contact/silence.test.ts'],
	},
	{
		name: 'The client ID no longer counts as the ID by which the service drops a repeated message',
		file: 'contract/contact.ts',
		before: "dedupeId: 'clientId',",
		after: '',
		tests: ['engine/errors/retries.test.ts'],
	},
	{
		name: 'The conversation is never asked for on services that leave it out of the list of contacts',
		file: 'contract/contact.ts',
		before: "conversation: 'conversation',",
		after: '',
		tests: ['engine/lists/contactLists.test.ts'],
	},

	// transport
	{
		name: 'An answer to a request that was sent before the failure ends the waiting',
		file: 'transport/retry/recovery.ts',
		before: 'if (sentAt < waiter.since) continue;',
		after: 'if (sentAt < 0) continue;',
		tests: ['unit/transport/recovery.test.ts'],
	},
	{
		name: 'Delete succeeds for what has never existed',
		file: 'transport/requestSender.ts',
		before: 'if (result.status === 404 && tries.lostAnswers > 0 && request.endpoint.isDelete)',
		after: 'if (result.status === 404 && request.endpoint.isDelete)',
		tests: ['engine/errors/undocumented.test.ts'],
	},
	{
		name: 'Requests that write carry no idempotency key',
		file: 'transport/requestSender.ts',
		before: "if (endpoint.method !== 'GET') request.idempotencyKey = makeKey?.(request);",
		after: "if (endpoint.method === 'GET') request.idempotencyKey = makeKey?.(request);",
		tests: ['engine/resources/services.test.ts'],
	},
	{
		name: 'The hint no longer counts how often the service asked to slow down',
		file: 'transport/requestSender.ts',
		before: 'this.stats.tooManyRequests++;',
		after: '',
		tests: ['engine/errors/reporting.test.ts'],
	},
	{
		name: 'A run does not wait while the service still works on the same request',
		file: 'transport/requestSender.ts',
		before: 'await pause(IN_PROGRESS_MS, signal);',
		after: 'void pause(IN_PROGRESS_MS, signal);',
		tests: ['engine/resources/services.test.ts'],
	},
	{
		name: 'An outage uses up the retries of a request',
		file: 'transport/requestSender.ts',
		before: "if (recovered === 'back') tries.retries = 0;",
		after: '',
		tests: ['engine/errors/retries.test.ts'],
	},
	{
		name: 'A message is sent a third time after two errors of 500',
		file: 'transport/retry/retryReason.ts',
		before: 'if (failures > 1) return false;',
		after: '',
		tests: ['unit/transport/retryReason.test.ts'],
	},
	{
		name: 'A request that never reached the service is not sent again',
		file: 'transport/retry/safeToRepeat.ts',
		before: "if (result.kind === 'notSent') return true;",
		after: "if (result.kind === 'notSent') return false;",
		tests: ['engine/errors/retries.test.ts'],
	},
	{
		name: 'A request is sent once too often',
		file: 'transport/retry/settings.ts',
		before: 'maxRetries: 8,',
		after: 'maxRetries: 9,',
		tests: ['engine/errors/requestOptions.test.ts'],
	},
	{
		name: 'The seconds of Retry-After are taken for milliseconds',
		file: 'transport/retry/delays.ts',
		before: 'if (/^\\d+(\\.\\d+)?$/.test(value)) return Number(value) * 1000;',
		after: 'if (/^\\d+(\\.\\d+)?$/.test(value)) return Number(value);',
		tests: ['unit/transport/retryDelays.test.ts'],
	},
	{
		name: 'The last reading of a list that moves requests pages side by side',
		file: 'service/lists/movingLists.ts',
		before: 'const ahead = count < MOST_READINGS ? options.ahead : 0;',
		after: 'const { ahead } = options;',
		tests: ['unit/service/lists/movingLists.test.ts'],
	},
	{
		name: 'A quarter of a rate that no service accepts stays after a refusal',
		file: 'transport/rateLimit/limiter.ts',
		before: 'plausible * LEAST_SHARE,',
		after: 'before * LEAST_SHARE,',
		tests: ['unit/transport/rateLimit/limiter.test.ts'],
	},
	{
		name: 'One more request per minute leaves than the credential allows',
		file: 'transport/rateLimit/limiter.ts',
		before:
			'this.sent.count(now) < this.requestsPerMinute ? 0 : Math.max(this.sent.freesInMs(now), 1);',
		after:
			'this.sent.count(now) <= this.requestsPerMinute ? 0 : Math.max(this.sent.freesInMs(now), 1);',
		tests: ['unit/transport/rateLimit'],
	},
	{
		name: 'What is known of a service is never forgotten',
		file: 'transport/sharedWorkspaces.ts',
		before:
			'if (workspace.service.createdAt < now - FORGET_AFTER_MS) workspace.service = new Service();',
		after: '',
		tests: ['unit/transport/client.test.ts'],
	},
	{
		name: 'A question to the service that failed once fails for an hour',
		file: 'service/memory.ts',
		before: 'answer.catch(() => answers.delete(key));',
		after: 'answer.catch(() => {});',
		tests: ['unit/transport/client.test.ts'],
	},
	{
		name: 'A credential that allows no domain allows all',
		file: 'transport/credential.ts',
		before: "if (domains !== '') return domains;",
		after: 'return domains;',
		tests: ['unit/transport/credential.test.ts', 'security/origins.test.ts'],
	},
	{
		name: 'The node follows redirects with the token',
		file: 'transport/http.ts',
		before: 'disableFollowRedirect: true,',
		after: 'disableFollowRedirect: false,',
		tests: ['security/origins.test.ts'],
	},
	{
		name: 'An error shows the token that the service repeats',
		file: 'transport/errors/finalError.ts',
		before: "return token === '' ? answer : JSON.parse(JSON.stringify(answer), withoutToken);",
		after: "return token === '' ? JSON.parse(JSON.stringify(answer), withoutToken) : answer;",
		tests: ['security/token.test.ts'],
	},
	{
		name: 'An upload is not tried again after a status of 500',
		file: 'transport/files.ts',
		before: 'status >= 500 || TRANSIENT.includes(status),',
		after: 'status > 500 || TRANSIENT.includes(status),',
		tests: ['security/uploads.test.ts', 'unit/transport/files.test.ts'],
	},
	{
		name: 'An upload through a proxy that is down for a moment fails at once',
		file: 'transport/files.ts',
		before: "if (!('failure' in result && result.failure.isTransient)) return result;",
		after:
			"if (!('failure' in result && result.failure.isTransient && !result.failure.adviceAboutProxy)) return result;",
		tests: ['security/uploads.test.ts'],
	},
	{
		name: 'A proxy that wants a password is taken for the storage of files',
		file: 'transport/files.ts',
		before: 'await refuseAskingProxy(response, transport);',
		after: '',
		tests: ['security/uploads.test.ts'],
	},
	{
		name: "An upload blames the proxy of n8n for the node's own proxy",
		file: 'transport/files.ts',
		before: 'const proxy = findUnreachableProxy(error, code, transport.proxy, address);',
		after: 'const proxy = findUnreachableProxy(error, code, undefined, address);',
		tests: ['security/uploads.test.ts'],
	},
	{
		name: 'A full last page ends a list too early',
		file: 'service/lists/pages.ts',
		before: 'if (pageCount > 0 && rows.length < this.longest) return true;',
		after: 'if (pageCount > 0 && rows.length <= this.longest) return true;',
		tests: ['unit/service/lists/pages.test.ts'],
	},
	{
		name: 'No hint says that a list of the service may be cut',
		file: 'service/lists/pages.ts',
		before: 'client.hint?.(mayBeCut(endpoint, records));',
		after: 'if (this.pageCount > 0) client.hint?.(mayBeCut(endpoint, records));',
		tests: ['unit/service/lists/pages.test.ts', 'engine/lists/lists.test.ts'],
	},
	{
		name: 'No hint says that a list moved while it was read',
		file: 'service/lists/cursors.ts',
		before: 'else if (cameTwice) client.hint?.(mayLack(endpoint));',
		after: 'else if (cameTwice && isStuck) client.hint?.(mayLack(endpoint));',
		tests: ['engine/conversation/cursors.test.ts'],
	},
	{
		name: 'The files of a message are counted from 1',
		file: 'transport/multipart.ts',
		before: 'const name = disposition(`files[${number}]`, fileName);',
		after: 'const name = disposition(`files[${number + 1}]`, fileName);',
		tests: ['unit/transport/multipart.test.ts', 'engine/contact/attachments.test.ts'],
	},
	{
		name: 'A lost answer to a message counts as a refusal',
		file: 'transport/errors/ApiError.ts',
		before: "outcome: mayHaveSucceeded && nothingWas ? 'unknown' : outcome,",
		after: "outcome: mayHaveSucceeded && !nothingWas ? 'unknown' : outcome,",
		tests: ['unit/transport/errors.test.ts'],
	},

	// values
	{
		name: 'The 31st of April is taken for the 1st of May',
		file: 'values/dates.ts',
		before:
			'return Number(day.slice(8)) <= 28 || new Date(`${day}T00:00Z`).toISOString().startsWith(day);',
		after:
			'return Number(day.slice(8)) <= 31 || new Date(`${day}T00:00Z`).toISOString().startsWith(day);',
		tests: ['unit/contacts/customFields'],
	},
	{
		name: 'A time that clocks skip is an hour too early',
		file: 'values/dates.ts',
		before: 'if (!isShown(before) && isShown(after)) return after;',
		after: 'if (isShown(before) && !isShown(after)) return after;',
		tests: [
			'unit/contacts/conditions/filterContacts.test.ts',
			'unit/contacts/conditions/rules.test.ts',
		],
	},
	{
		name: 'The value of a custom field that finds a contact ends at an =',
		file: 'values/identifier.ts',
		before: "const value = trimText(parts.join('='));",
		after: "const value = trimText(parts[0] ?? '');",
		tests: ['unit/values/identifier.test.ts', 'engine/contact/contactByCustomField.test.ts'],
	},
	{
		name: 'Digits that begin with the default country code are not taken for it',
		file: 'values/phone/phoneNumber.ts',
		before: 'const isOwn = splitNumber(digits)?.code === own;',
		after: 'const isOwn = splitNumber(digits)?.code !== own;',
		tests: ['unit/values/phone/phoneNumber.test.ts', 'unit/values/phone/numberingPlans.test.ts'],
	},
	{
		name: 'A key such as __proto__ is sent',
		file: 'values/serializable.ts',
		before: 'if (UNSAFE_KEYS.includes(key)) return `must not contain the key "${key}"`;',
		after: 'if (key in UNSAFE_KEYS) return `must not contain the key "${key}"`;',
		tests: ['security/json.test.ts'],
	},

	// run
	{
		name: 'Items do not keep their order if their contacts are looked up',
		file: 'run/run.ts',
		before: 'await before;',
		after: '',
		tests: ['engine/contact/order.test.ts'],
	},
	{
		name: 'A run that must stop goes on with the next task',
		file: 'run/run.ts',
		before: 'if (!this.continuesOnFail) this.stop();',
		after: 'if (this.continuesOnFail) this.stop();',
		tests: ['engine/contact/order.test.ts'],
	},
	{
		name: 'All output items are linked to the first input item',
		file: 'run/item.ts',
		before: 'const pairedItem = this.workedFor?.map((item) => ({ item })) ?? { item: this.index };',
		after: 'const pairedItem = this.workedFor?.map((item) => ({ item })) ?? { item: 0 };',
		tests: ['engine/lists/lists.test.ts'],
	},
	{
		name: 'A file of n8n that only JSON names can be sent',
		file: 'run/inputFiles.ts',
		before: 'if (!earlier) return undefined;',
		after: 'if (!earlier) return { ...properties } as IBinaryData;',
		tests: ['engine/contact/attachedFiles.test.ts', 'engine/contact/attachments.test.ts'],
	},
	{
		name: 'A file of exactly the largest size is refused',
		file: 'run/inputFiles.ts',
		before: 'if (size > max) throw new Error(`${what} has ${bytes} bytes; the limit is ${most}`);',
		after: 'if (size >= max) throw new Error(`${what} has ${bytes} bytes; the limit is ${most}`);',
		tests: ['engine/contact/attachments.test.ts'],
	},
	{
		name: 'The parts of a long message have the same client ID',
		file: 'run/idempotency.ts',
		before: 'if (own !== undefined && part === 0) return own;',
		after: 'if (own !== undefined) return own;',
		tests: ['engine/contact/messages.test.ts'],
	},
	{
		name: 'Two calls of a tool in one execution have the same client ID',
		file: 'run/idempotency.ts',
		before: "if (isToolCall || !executionId) return randomBytes(16).toString('hex');",
		after: "if (isToolCall && !executionId) return randomBytes(16).toString('hex');",
		tests: ['engine/tool'],
	},
	{
		name: 'A tool does not say that there are more records than its limit',
		file: 'run/tool.ts',
		before: 'const readLimit = (limit: number) => Math.max(limit + 1, LOOK_AHEAD);',
		after: 'const readLimit = (limit: number) => Math.max(limit, LOOK_AHEAD);',
		tests: ['engine/tool/toolFields.test.ts'],
	},
	{
		name: 'A list of empty entries from an expression filters nobody out',
		file: 'run/emptyValues.ts',
		before: 'return Array.isArray(list) && list.every(isNothing);',
		after: 'return Array.isArray(list) && list.length === 0;',
		tests: ['engine/errors/emptyExpressions.test.ts'],
	},

	// channels
	{
		name: 'The email channel is not known by its other name',
		file: 'channels/channel.ts',
		before: "const aliases: Record<string, string> = { email: 'smtp' };",
		after: 'const aliases: Record<string, string> = {};',
		tests: ['unit/contacts/conditions/filterContacts.test.ts'],
	},
	{
		name: "The type of a new contact's channel is looked up only if the user set it",
		file: 'channels/list.ts',
		before: 'if (inboxId === undefined || channel !== undefined) return fields;',
		after: 'if (inboxId === undefined || channel === undefined) return fields;',
		tests: ['engine/resources/services.test.ts'],
	},
	{
		name: 'Newer services get the IDs of channels in place of inboxes',
		file: 'service/capabilities.ts',
		before: 'return hasInboxes ? undocumentedApi.listInboxes : endpoint;',
		after: 'return hasInboxes ? endpoint : undocumentedApi.listInboxes;',
		tests: ['engine/resources/services.test.ts'],
	},

	// contacts
	{
		name: 'A contact that the service found by another custom field value is taken',
		file: 'contacts/findByCustomField.ts',
		before: 'if (ids.length !== 1) return ids;',
		after: 'if (ids.length > 0) return ids;',
		tests: ['engine/contact/contactByCustomField.test.ts'],
	},
	{
		name: 'Of two contacts with the same email in other letters, the first one is taken',
		file: 'service/identifierForms.ts',
		before: 'if (same.length > 1) throw severalFormsError(identifier, same);',
		after: 'if (same.length > 2) throw severalFormsError(identifier, same);',
		tests: ['engine/contact/otherForms.test.ts'],
	},
	{
		name: 'The output names the contact of the input, although the item is about another one',
		file: 'contacts/output.ts',
		before: 'if (!hasIdentifier(json, identifier)) return {};',
		after: 'if (!hasIdentifier(json, identifier) && !json.id) return {};',
		tests: ['engine/contact/contactOutput.test.ts'],
	},
	{
		name: 'Contacts without a value come first in a sorted list',
		file: 'service/contactOrder.ts',
		before: 'if (lacksValue(a) !== lacksValue(b)) return lacksValue(a) ? 1 : -1;',
		after: 'if (lacksValue(a) !== lacksValue(b)) return lacksValue(a) ? -1 : 1;',
		tests: ['engine/lists/contactLists.test.ts'],
	},
	{
		name: 'The second page of a list that n8n sorts is the first one again',
		file: 'contacts/list.ts',
		before: 'return sortContacts(all, sort, refusal).slice(offset, offset + limit);',
		after: 'return sortContacts(all, sort, refusal).slice(0, limit);',
		tests: ['engine/lists/contactLists.test.ts'],
	},
	{
		name: 'A filter that compares a number with nothing is sent',
		file: 'service/contactFilter.ts',
		before:
			"const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));",
		after: 'const isNumber = (value: string) => Number.isFinite(Number(value));',
		tests: ['engine/lists/contactLists.test.ts'],
	},
	{
		name: 'The condition "is at least" leaves out the number itself',
		file: 'contacts/conditions/filterContacts.ts',
		before: 'gte: (value, first) => value >= first,',
		after: 'gte: (value, first) => value > first,',
		tests: ['unit/contacts/conditions/rules.test.ts'],
	},
	{
		name: 'A filter of the service leaves out contacts of the first moment of a range',
		file: 'contacts/conditions/serverConditions.ts',
		before: "if (from !== -Infinity) ends.push(compare('gt', toIsoText(from - 1)));",
		after: "if (from !== -Infinity) ends.push(compare('gt', toIsoText(from)));",
		tests: ['unit/contacts/conditions/serverConditions.test.ts'],
	},
	{
		name: 'Two long numbers that differ in their last digit count as the same value',
		file: 'contacts/customFields/storedText.ts',
		before: 'const EXACT_DIGITS = 15;',
		after: 'const EXACT_DIGITS = 18;',
		tests: ['unit/contacts/customFields'],
	},
	{
		name: 'Of two custom fields with similar names, the first one is written',
		file: 'contacts/customFields/definitions.ts',
		before: 'if (fields.length <= 1) return fields[0];',
		after: 'if (fields.length >= 1) return fields[0];',
		tests: ['engine/contact/customFieldNames.test.ts'],
	},
	{
		name: 'Of more than 20 custom field values, some are written twice and others never',
		file: 'contacts/customFields/contactValues.ts',
		before: 'const part = values.slice(from, from + max);',
		after: 'const part = values.slice(0, max);',
		tests: ['unit/contacts/customFields/contactValues.test.ts'],
	},

	// templates
	{
		name: 'A template that is not approved is sent, and never delivered',
		file: 'templates/find.ts',
		before: 'if (!isApproved(template)) throw notApproved(template);',
		after: 'if (!isApproved(template) && found.length > 1) throw notApproved(template);',
		tests: ['engine/template/sendTemplate.test.ts'],
	},
	{
		name: 'Each item uploads the same file of a template again',
		file: 'templates/media.ts',
		before: "const uploading = known.get(key) ?? item.run.runExclusive(['media library'], upload);",
		after: "const uploading = item.run.runExclusive(['media library'], upload);",
		tests: ['engine/template/sendTemplate.test.ts'],
	},
	{
		name: 'The places of a template come in the opposite order',
		file: 'templates/placeholders.ts',
		before: 'return Number(number) - Number(otherNumber) || 0;',
		after: 'return Number(otherNumber) - Number(number) || 0;',
		tests: ['engine/template/sendTemplate.test.ts'],
	},

	// conversations
	{
		name: 'A contact with one closed channel of two counts as out of reach',
		file: 'conversations/answerHours.ts',
		before: 'return closed.every(Boolean) ? closed[0] : undefined;',
		after: 'return closed.some(Boolean) ? closed.find(Boolean) : undefined;',
		tests: ['engine/contact/silence.test.ts'],
	},
	{
		name: 'Contact Wrote Before keeps everybody who has ever written',
		file: 'conversations/filter.ts',
		before: 'matches: (row) => hasWritten(row) && getContactRepliedAt(row) < wroteBefore,',
		after: 'matches: (row) => hasWritten(row) || getContactRepliedAt(row) < wroteBefore,',
		tests: ['engine/conversation/getMany.test.ts'],
	},
	{
		name: 'A message that the channel refused later counts as accepted',
		file: 'conversations/simplify.ts',
		before: 'if (sendError) return false;',
		after: 'if (sendError && !sourceId) return false;',
		tests: ['engine/conversation/getMessages.test.ts'],
	},
	{
		name: 'Messages that the contact or a member deleted are shown',
		file: 'conversations/messages.ts',
		before: 'if (!row.deletedAt && isChosen(row)) found.set(row.id, row);',
		after: 'if (isChosen(row)) found.set(row.id, row);',
		tests: ['engine/conversation/getMessages.test.ts'],
	},
	{
		name: 'A transcript with quotation marks is longer than an agent takes',
		file: 'conversations/transcript.ts',
		before: 'left -= JSON.stringify(line).length;',
		after: 'left -= line.length;',
		tests: ['unit/conversations/transcript.test.ts'],
	},

	// panel
	{
		name: 'A list of the editor waits as long as the rate limit says',
		file: 'panel/loadLists.ts',
		before: 'retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },',
		after: 'retry: { maxRetries: 2, giveUpAfterMs: 10_000 },',
		tests: ['engine/lists/pickers.test.ts'],
	},
	{
		name: 'Entries of a list with the same name look the same',
		file: 'panel/lookups/listEntries.ts',
		before: 'if (counts.get(entry.name) === 1) return entry;',
		after: 'if (counts.get(entry.name) !== 1) return entry;',
		tests: ['engine/lists/pickers.test.ts'],
	},
	{
		name: 'A picker of a service that ignores page numbers never ends',
		file: 'panel/fillPicker.ts',
		before: 'if (rows.length > 0 && String(rows[0].id) === firstId) break;',
		after: '',
		tests: ['engine/lists/pickers.test.ts'],
	},
	{
		name: 'The test of a credential passes with a token that the service rejects',
		file: 'panel/credentialTest.ts',
		before: "if (reason === 'token' || status === 401)",
		after: "if (reason === 'token' && status !== 401)",
		tests: ['engine/credential.test.ts'],
	},

	// resources/contact
	{
		name: 'An email that only differs in upper and lower case is changed',
		file: 'resources/contact/upsert/plan.ts',
		before:
			'const differing = updatable.filter(([name, value]) => !hasPlannedValue(contact, name, value));',
		after: 'const differing = updatable.filter(([name, value]) => contact[name] !== value);',
		tests: ['engine/contact/upsert.test.ts'],
	},
	{
		name: 'Create or Update reads a contact again for each row about it',
		file: 'resources/contact/upsert/createOrUpdate.ts',
		before: 'cache.add(result.contact);',
		after: '',
		tests: ['engine/contact/upsert.test.ts'],
	},
	{
		name: 'Two rows about the same new contact create it twice',
		file: 'resources/contact/upsert/createOrUpdate.ts',
		before: 'const found = hasWaited ? await cache.find(item, identifiers) : known;',
		after: 'const found = known;',
		tests: ['engine/contact/upsert.test.ts', 'engine/contact/otherForms.test.ts'],
	},
	{
		name: 'A row takes the phone number of another contact',
		file: 'resources/contact/upsert/plan.ts',
		before: 'if (!owner || owner.id === contact.id) return;',
		after: 'if (!owner || owner.id !== contact.id) return;',
		tests: ['engine/contact/preview.test.ts'],
	},
	{
		name: 'Set Tags removes the tags that the contact should keep',
		file: 'resources/contact/setTags.ts',
		before: 'const removed = without(before, wanted);',
		after: 'const removed = without(before, added);',
		tests: ['engine/contact/setTags.test.ts'],
	},
	{
		name: 'An empty list in Set Tags is refused in place of removing all tags',
		file: 'resources/contact/setTags.ts',
		before: 'const hasNoName = tags.length === 0 && !isEmptyList(input);',
		after: 'const hasNoName = tags.length === 0 && isEmptyList(input);',
		tests: ['engine/contact/setTags.test.ts'],
	},
	{
		name: 'Create Missing Tags creates a tag again for each item',
		file: 'resources/contact/namedRecords/tags.ts',
		before: 'if (known) return await known;',
		after: 'if (known && created.includes(name)) return await known;',
		tests: ['engine/contact/tagNames.test.ts'],
	},
	{
		name: 'After a change of the email, the custom fields go to the old email',
		file: 'resources/contact/update.ts',
		before: 'const after = changed.find(({ kind }) => kind === before?.kind);',
		after: 'const after = changed.find(({ kind }) => kind !== before?.kind);',
		tests: ['engine/errors/undocumented.test.ts'],
	},
	{
		name: 'The parts of a long note have the same key, so that the service drops equal ones',
		file: 'resources/contact/addNote.ts',
		before: 'const dedupeKey = item.clientId(position);',
		after: 'const dedupeKey = item.clientId(0);',
		tests: ['engine/contact/notes.test.ts'],
	},
	{
		name: 'A failed row of an import is shown with the values of the next item',
		file: 'resources/contact/import/failedRows.ts',
		before: 'const row = rows[Number(entry.row) - 2];',
		after: 'const row = rows[Number(entry.row) - 1];',
		tests: ['engine/import/fromItems.test.ts'],
	},
	{
		name: 'Quotation marks in a cell of an import are not doubled',
		file: 'resources/contact/import/csvText.ts',
		before: 'return `"${cell.replaceAll(\'"\', \'""\')}"`;',
		after: 'return `"${cell}"`;',
		tests: ['engine/import/fromItems.test.ts'],
	},
	{
		name: 'An import whose answer was lost is started a second time or given up',
		file: 'resources/contact/import/runImport.ts',
		before: "if (outcome === 'unknown') {",
		after: "if (outcome === 'refused') {",
		tests: ['engine/import/running.test.ts'],
	},

	// resources/message
	{
		name: 'The third part of a long message has the Client ID of the second',
		file: 'resources/message/send.ts',
		before: 'const ownId = item.clientId(part, clientId);',
		after: 'const ownId = item.clientId(Math.min(part, 1), clientId);',
		tests: ['engine/contact/messages.test.ts'],
	},
	{
		name: 'A reply quotes its message with the time of another one',
		file: 'resources/message/send/replyTo.ts',
		before: 'return ownId === id;',
		after: 'return ownId !== id;',
		tests: ['engine/contact/replyTo.test.ts'],
	},
	{
		name: 'A message to a silent contact is sent although the user wants it to fail',
		file: 'resources/message/delivery/silentContact.ts',
		before: "if (choice === 'fail') throw silentError(closed);",
		after: "if (choice === 'stop') throw silentError(closed);",
		tests: ['engine/contact/silence.test.ts'],
	},
	{
		name: 'A link of an earlier question decides the current one',
		file: 'resources/message/question/webhook.ts',
		before: 'if (!question || query[QUESTION_PARAMETER] !== question.id) {',
		after: 'if (!question || !query[QUESTION_PARAMETER]) {',
		tests: ['engine/contact/answerPage.test.ts'],
	},
	{
		name: 'An answer of the contact before the question counts',
		file: 'resources/message/question/chat/lookForAnswer.ts',
		before: 'if (!isTyped(message) || getMessageTime(message) < askedAt) return false;',
		after: 'if (!isTyped(message) || getMessageTime(message) < before.at) return false;',
		tests: ['engine/message/answerInChat.test.ts'],
	},
	{
		name: 'The number that a contact types means the choice after it',
		file: 'resources/message/question/chat/understandAnswers.ts',
		before: 'return choices[position - 1];',
		after: 'return choices[position];',
		tests: ['unit/resources/understandAnswers.test.ts'],
	},
	{
		name: 'After a member wrote, a question still counts as the only reason why the bot is quiet',
		file: 'conversations/ownPause.ts',
		before: 'if (personWrote.some((at) => at > since)) return false;',
		after: '',
		tests: ['engine/message/answerInChat.test.ts', 'engine/trigger/questions.test.ts'],
	},
	{
		name: 'n8n returns the bot to a conversation in which a member has written',
		file: 'resources/message/question/chat/botPause.ts',
		before: 'if (!paused || hasPersonWritten) return true;',
		after: 'if (!paused) return true;',
		tests: ['engine/message/answerInChat.test.ts'],
	},
	{
		name: 'n8n returns the bot to a conversation that a member has taken over',
		file: 'resources/message/question/chat/botPause.ts',
		before: "if ((await readState(client, paused)) !== 'paused') return true;",
		after: "if ((await readState(client, paused)) === 'ended') return true;",
		tests: ['engine/message/answerInChat.test.ts'],
	},
	{
		name: 'A contact is asked a second question while one is open',
		file: 'resources/message/question/chat/openAndCloseNote.ts',
		before: 'refuseSecondQuestion(before);',
		after: '',
		tests: ['engine/message/questionNote.test.ts'],
	},
	{
		name: 'A template goes out on the WhatsApp channel that was used longest ago',
		file: 'resources/message/sendTemplate/whatsappChannel.ts',
		before: '(getLastUse(other) ?? 0) - (getLastUse(one) ?? 0);',
		after: '(getLastUse(one) ?? 0) - (getLastUse(other) ?? 0);',
		tests: ['engine/template/sendTemplate.test.ts'],
	},

	// other resources
	{
		name: 'Unarchive archives a conversation',
		file: 'resources/conversation/changeState.ts',
		before: 'unarchive: conversationApi.unarchiveConversation,',
		after: 'unarchive: conversationApi.archiveConversation,',
		tests: ['engine/conversation/changes.test.ts'],
	},
	{
		name: 'A transcript of an agent says that there are older messages where there are none',
		file: 'resources/conversation/getMessages.ts',
		before: 'hasOlder: count < messages.length,',
		after: 'hasOlder: count <= messages.length,',
		tests: ['engine/conversation/getMessages.test.ts'],
	},
	{
		name: 'Ignore Not Found also ignores that the service lacks the operation',
		file: 'resources/shared/deleteIfExists.ts',
		before:
			"reason === 'objectMissing' && outcome !== 'unknown' && item.isOn('options.ignoreMissing'),",
		after: "reason !== undefined && outcome !== 'unknown' && item.isOn('options.ignoreMissing'),",
		tests: ['engine/errors/undocumented.test.ts'],
	},
	{
		name: 'A tag that somebody has just created counts as gone',
		file: 'resources/shared/existingRecords.ts',
		before: 'if (missing.length === 0) return existing;',
		after: 'return existing;',
		tests: ['engine/contact/goneTags.test.ts'],
	},
	{
		name: 'Get Many with a keyword returns more than its limit',
		file: 'resources/shared/readByName.ts',
		before: 'return found.slice(0, limit);',
		after: 'return found;',
		tests: ['engine/lists/lists.test.ts'],
	},

	// trigger
	{
		name: 'A poll starts beside another poll of the same trigger, so that events come twice',
		file: 'trigger/poll.ts',
		before: 'if (other && !isFirst) return null;',
		after: 'if (other && isFirst) return null;',
		tests: ['engine/trigger/contacts.test.ts'],
	},
	{
		name: 'Watching goes on with the memory of something else',
		file: 'trigger/memory.ts',
		before: 'if (last.subject !== subject || last.memory === undefined) return undefined;',
		after: 'if (!(last.subject ?? subject) || last.memory === undefined) return undefined;',
		tests: ['engine/trigger/contacts.test.ts'],
	},
	{
		name: 'A trigger goes on in another workspace with the memory of the first one',
		file: 'trigger/memory.ts',
		before: 'baseUrl,',
		after: '',
		tests: ['unit/trigger/memory.test.ts'],
	},
	{
		name: 'A trigger goes on with another credential as if it watched the same workspace',
		file: 'trigger/memory.ts',
		before: 'credential,',
		after: '',
		tests: ['unit/trigger/memory.test.ts'],
	},
	{
		name: 'Contacts at the watermark come again with every poll',
		file: 'trigger/changes/newest.ts',
		before: 'if (at <= last.watermark) return false;',
		after: 'if (at < last.watermark) return false;',
		tests: ['unit/trigger/missed.test.ts', 'engine/trigger/contacts.test.ts'],
	},
	{
		name: 'An empty list makes all records new when it is back',
		file: 'trigger/changes/snapshot.ts',
		before: 'if (now.size === 0) return before;',
		after: 'if (now.size === 0) return now;',
		tests: ['unit/trigger/changes'],
	},
	{
		name: 'A tag that a contact lost twice within two polls is lost without an event',
		file: 'trigger/changes/tags.ts',
		before: 'const mustSave = changes.length > 0;',
		after: 'const mustSave = items.length > 0;',
		tests: ['engine/trigger/tags.test.ts', 'unit/trigger/moving.test.ts'],
	},
	{
		name: 'A failed message whose entry shows up late is lost',
		file: 'trigger/changes/undelivered.ts',
		before: 'const next = Math.max(since, newest - LOGGED_LATE_MS);',
		after: 'const next = Math.max(since, newest);',
		tests: ['unit/trigger/undelivered.test.ts', 'engine/trigger/undelivered.test.ts'],
	},
	{
		name: 'A failed message for which a poll has no time is lost',
		file: 'trigger/changes/undelivered.ts',
		before: 'const taken = found.map(({ entry }) => entry);',
		after: 'const taken = fresh;',
		tests: ['unit/trigger/undelivered.test.ts'],
	},
	{
		name: 'A failed message comes again with the next polls',
		file: 'trigger/changes/undelivered.ts',
		before: 'const fresh = entries.filter(({ id }) => !known.has(id)).reverse();',
		after: 'const fresh = entries.filter(({ id }) => id && known).reverse();',
		tests: ['unit/trigger/undelivered.test.ts', 'engine/trigger/undelivered.test.ts'],
	},
	{
		name: 'Of several messages of a contact, only the first starts the workflow',
		file: 'trigger/executions.ts',
		before: 'if (others) others.push(item);',
		after: 'if (others) others.at(0);',
		tests: ['engine/trigger/executionPerContact.test.ts'],
	},
	{
		name: 'After an execution that n8n cannot start, the messages of other contacts are lost',
		file: 'trigger/executions.ts',
		before: 'errors.push(error);',
		after: 'throw error;',
		tests: ['engine/trigger/executionPerContact.test.ts'],
	},
	{
		name: 'A message that shows up late is lost',
		file: 'trigger/messages/mark.ts',
		before: 'const from = Math.max(mark.from, reached - LATE_MS);',
		after: 'const from = Math.max(mark.from, reached);',
		tests: ['unit/trigger/messages/mark.test.ts', 'unit/trigger/messages/conversations.test.ts'],
	},
	{
		name: 'Messages on channels that the user did not choose start the workflow',
		file: 'trigger/messages/foundMessages.ts',
		before: 'inboxIds.length === 0 ||',
		after: 'inboxIds.length >= 0 ||',
		tests: ['engine/trigger/messages.test.ts'],
	},
	{
		name: 'Messages start the workflow although a member is answering',
		file: 'trigger/messages/readyMessages.ts',
		before: 'return personWrote.some((at) => at > silentFrom);',
		after: 'return personWrote.some((at) => at < silentFrom);',
		tests: ['engine/trigger/questions.test.ts'],
	},
	{
		name: 'Answers to a question start the workflow, too',
		file: 'trigger/messages/questions.ts',
		before: 'if (note.answers.includes(id)) continue;',
		after: '',
		tests: ['engine/trigger/questions.test.ts'],
	},
	{
		name: 'Messages on two channels become one item',
		file: 'trigger/messages/groupMessages.ts',
		before: 'if (isOnOtherChannel || isComplete(getMessageTime(message))) {',
		after: 'if (isOnOtherChannel && isComplete(getMessageTime(message))) {',
		tests: ['engine/trigger/messages.test.ts'],
	},
	{
		name: 'A step of a flow with another event starts the workflow',
		file: 'trigger/instant/receive.ts',
		before: 'if (isByFlow && data.event !== parameters.eventName) return undefined;',
		after: 'if (isByFlow && !data.event && parameters.eventName) return undefined;',
		tests: ['security/instantTrigger.test.ts'],
	},
	{
		name: 'A message that was read at once comes again with the next call',
		file: 'trigger/instant/returnedMessages.ts',
		before:
			'(getMessageTime(message) > last.newest - LATE_MS && !last.times.has(String(message.id)));',
		after: 'getMessageTime(message) > last.newest - LATE_MS;',
		tests: ['engine/trigger/instant/messageAtOnce.test.ts'],
	},
	{
		name: 'A message at once starts the workflow while a question is open',
		file: 'trigger/instant/messageAtOnce.ts',
		before: 'if (isQuestionOpen(note)) return [];',
		after: '',
		tests: ['engine/trigger/instant/messageAtOnce.test.ts'],
	},
	{
		name: 'A webhook that somebody switched off in the workspace is kept',
		file: 'trigger/instant/webhooks.ts',
		before: 'if (webhook.active === false) return false;',
		after: '',
		tests: ['unit/trigger/instant/webhooks.test.ts', 'engine/trigger/instant/registration.test.ts'],
	},

	// node
	{
		name: 'The error of an item is linked to the next item',
		file: 'node/execute.ts',
		before: 'return [{ json: { error: message }, pairedItem: { item: index } }];',
		after: 'return [{ json: { error: message }, pairedItem: { item: index + 1 } }];',
		tests: ['engine/errors/failures.test.ts'],
	},
	{
		name: 'Batching begins its second batch one item too late',
		file: 'node/execute.ts',
		before: 'const startsBatch = position > 0 && position % size === 0;',
		after: 'const startsBatch = position > 1 && (position - 1) % size === 0;',
		tests: ['engine/errors/stopping.test.ts'],
	},
	{
		name: 'The report of a run names ranges that are one item too short',
		file: 'values/labels.ts',
		before: 'if (last?.to === number - 1) last.to = number;',
		after: 'if (last?.to === number - 1) last.to = number - 1;',
		tests: ['unit/node/report.test.ts'],
	},
	{
		name: 'Give Up After counts in milliseconds',
		file: 'node/requestOptions.ts',
		before: 'giveUpAfterMs: giveUpAfter * 1000,',
		after: 'giveUpAfterMs: giveUpAfter,',
		tests: ['engine/errors/retries.test.ts'],
	},
	{
		name: 'An error suggests other records although the one that the user chose exists',
		file: 'node/suggestAlternatives.ts',
		before: 'if (exists) return undefined;',
		after: 'if (exists && isNamed) return undefined;',
		tests: ['engine/errors/suggestions.test.ts'],
	},
];
