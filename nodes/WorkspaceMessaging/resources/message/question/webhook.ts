import type {
	IDataObject,
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

/** What the contact can answer. */
export type AnswerForm =
	| { type: 'approval'; approve: string; decline?: string }
	| { type: 'freeText'; button: string }
	| { type: 'choices'; choices: string[] };

/** A question that waits for its answer, with all that its page shows. */
export interface Question {
	/**
	 * The link carries it, so that a link answers its own question only. n8n signs the link, so
	 * nobody can guess one.
	 */
	id: string;
	/** Who was asked, as the output says it. */
	contact: IDataObject;
	/** The message without its link. */
	message: string;
	form: AnswerForm;
	title: string;
	thankYou: string;
}

/**
 * The name of the link's parameter that holds the question's ID; n8n signs it with the rest of the
 * link.
 */
export const QUESTION_PARAMETER = 'question';

/** Remembers the question that the execution waits for. n8n stores it with the execution. */
export function rememberQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node').question = { ...question };
}

/** Returns the question that the execution waits for; undefined if there is none. */
function waitingQuestion(context: IWebhookFunctions) {
	const { name } = context.getNode();
	// A webhook cannot read the node's context, but an expression can; n8n evaluates a fallback like
	// any other value. The name is escaped, and not a key: with a name such as "}}" or "constructor",
	// n8n refuses the expression otherwise.
	const escaped = name.replace(
		/[^]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	const expression = `={{ $("${escaped}").context.question }}`;
	const stored: unknown = context.getNodeParameter('waitingQuestion', expression);
	return (stored as Question | undefined) ?? undefined;
}

const waitingWebhook: IWebhookDescription = {
	name: 'default',
	httpMethod: 'GET',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/** The addresses that a waiting execution answers at; the link in the message leads there. */
export const waitingWebhooks: IWebhookDescription[] = [
	waitingWebhook,
	{ ...waitingWebhook, httpMethod: 'POST' },
];

/**
 * Answers everyone who opens the link of a question: GET shows the question, because chat apps open
 * links for previews; POST decides, and the workflow goes on with the answer. n8n has checked the
 * link's signature before. A link of an earlier question of the same execution decides nothing.
 * Never throws, because an error would end the execution.
 */
export async function answerLink(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return answerRequest(this);
	} catch (error) {
		this.logger.error(`The answer page of "${this.getNode().name}" failed`, { error });
		return sendPage(this, 503, notePage('This page cannot be shown now. Please try again later.'));
	}
}

function answerRequest(context: IWebhookFunctions): IWebhookResponseData {
	const question = waitingQuestion(context);
	const { query, method } = context.getRequestObject();
	if (!question || query[QUESTION_PARAMETER] !== question.id) {
		const note = notePage('This link belongs to an earlier question.');
		return sendPage(context, 410, note);
	}
	// Whoever opens the link gets the form.
	if (method !== 'POST') return sendPage(context, 200, questionPage(question));
	const entered = context.getBodyData();
	const answer = readPostedAnswer(question.form, entered);
	// A text says what is wrong with the answer.
	const isProblem = typeof answer === 'string';
	if (isProblem) return sendPage(context, 400, questionPage(question, answer));
	return endWait(context, question, answer);
}

/** Returns the thank-you page, and the output that the workflow goes on with. */
function endWait(
	context: IWebhookFunctions,
	question: Question,
	answer: IDataObject,
): IWebhookResponseData {
	const respondedAt = new Date().toISOString();
	const data = { ...answer, respondedAt };
	context.getResponseObject().set(pageHeaders);
	// n8n 2 sends it once it has accepted the answer; of two answers at once, it refuses one with an
	// error.
	const webhookResponse = thanksPage(question);
	const output = { ...question.contact, data };
	const items = context.helpers.returnJsonArray([output]);
	return { webhookResponse, workflowData: [items] };
}

/** Sends a page; the execution still waits. */
function sendPage(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	context.getResponseObject().status(status).set(pageHeaders).send(html);
	return { noWebhookResponse: true };
}

/** Returns the answer that a form holds, or a sentence about what is wrong with it. */
function readPostedAnswer(form: AnswerForm, body: unknown): IDataObject | string {
	const fields: Record<string, unknown> = Object(body);
	switch (form.type) {
		case 'approval': {
			const value = toFormText(fields.approved);
			if (value === 'true') return { approved: true };
			if (value === 'false' && form.decline !== undefined) return { approved: false };
			return 'Choose an answer.';
		}
		case 'choices': {
			const value = toFormText(fields.choice);
			const choice = form.choices[Number(value)];
			if (choice === undefined || !/^\d{1,3}$/.test(value)) return 'Choose an answer.';
			return { choice };
		}
		case 'freeText': {
			const text = toFormText(fields.text).replace(/\r\n/g, '\n').trim();
			if (text === '') return 'Enter an answer.';
			if (text.length > LONGEST_ANSWER) return `Enter at most ${LONGEST_ANSWER} characters.`;
			return { text };
		}
	}
}

/** Returns a text of a posted form; a caller can also post objects, or nothing. */
const toFormText = (value: unknown) => (typeof value === 'string' ? value : '');

/** Characters of an answer; the page's field and the webhook both keep to it. */
const LONGEST_ANSWER = 1000;

/** No script runs, and nothing is loaded from elsewhere. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Response headers of the pages: a form is all that works, and browsers and servers on the way
 * store nothing. The pages contain the policy, too, because n8n replaces the one in the header of
 * the thank-you page.
 */
const pageHeaders = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `sandbox allow-forms; ${CONTENT_POLICY}`,
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
};

const style = `
:root { color-scheme: light dark; --text: #17202c; --muted: #5d6979; --page: #eef2f7; --card: #fff; --field: #f6f8fb; --line: #d5dce5; --accent: #1565d8; --on-accent: #fff; --good: #157f4b; --bad: #c42b2b }
@media (prefers-color-scheme: dark) { :root { --text: #edf1f6; --muted: #9ba7b6; --page: #0f131a; --card: #1a202a; --field: #12171f; --line: #38424f; --accent: #5ea4ff; --on-accent: #08121f; --good: #52c98a; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 16px; background: var(--page); color: var(--text); font: 18px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { width: 100%; max-width: 432px; padding: 28px 24px 24px; background: var(--card); border-radius: 20px; box-shadow: 0 1px 2px rgb(16 24 40 / 8%), 0 12px 32px rgb(16 24 40 / 10%) }
h1 { margin: 0 0 12px; font-size: 15px; line-height: 1.4; font-weight: 600; color: var(--muted); overflow-wrap: anywhere }
p { margin: 0; font-size: 21px; line-height: 1.4; font-weight: 500; white-space: pre-wrap; overflow-wrap: anywhere }
form { display: grid; gap: 12px; margin-top: 28px }
button, textarea { width: 100%; font: inherit; border-radius: 14px; border: 1.5px solid var(--line); color: inherit; background: var(--field) }
button { min-height: 56px; padding: 12px 18px; font-weight: 600; cursor: pointer; overflow-wrap: anywhere }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
button:active { transform: scale(.985) }
textarea { display: block; min-height: 136px; padding: 14px 16px; resize: vertical }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
textarea:focus-visible { outline-offset: -1px }
[role=alert] { font-size: 16px; color: var(--bad) }
.done { text-align: center }
.done::before { content: "✓"; display: grid; place-items: center; width: 64px; height: 64px; margin: 4px auto 20px; border-radius: 50%; font-size: 32px; font-weight: 700; color: var(--card); background: var(--good) }
.note { text-align: center }
`;

/** Returns the page that asks; opening it decides nothing, because only the form's POST does. */
function questionPage({ title, message, form }: Question, problem?: string) {
	const alert = problem ? paragraph(problem, ' role="alert"') : '';
	const answers = alert + formInputs(form);
	// A message may consist of the link alone.
	const text = message || title || 'Please answer.';
	const head = message ? heading(title) : '';
	const content = head + paragraph(text);
	return page(title || text, content, answers);
}

/** Returns the page that thanks for an answer. */
function thanksPage({ title, thankYou }: Question) {
	const content = heading(title) + paragraph(thankYou, '');
	return page(title || thankYou, `<div class="done">${content}</div>`);
}

/** Returns a page that says one thing. */
function notePage(text: string) {
	return page(text, paragraph(text, ' class="note"'));
}

function formInputs(form: AnswerForm) {
	switch (form.type) {
		case 'approval': {
			const approve = button('approved', 'true', form.approve, true);
			if (form.decline === undefined) return approve;
			const decline = button('approved', 'false', form.decline);
			return approve + decline;
		}
		case 'freeText':
			return `<textarea name="text" dir="auto" maxlength="${LONGEST_ANSWER}" required aria-labelledby="question"></textarea><button class="main">${escapeHtml(form.button)}</button>`;
		case 'choices':
			return form.choices.map((choice, index) => button('choice', String(index), choice)).join('');
	}
}

function button(name: string, value: string, label: string, isMain = false) {
	const mainClass = isMain ? ' class="main"' : '';
	const text = escapeHtml(label);
	return `<button${mainClass} name="${name}" value="${value}">${text}</button>`;
}

/** Returns a paragraph; its direction is that of its language. */
function paragraph(text: string, attributes = ' id="question"') {
	return `<p dir="auto"${attributes}>${escapeHtml(text)}</p>`;
}

function heading(title: string) {
	return title === '' ? '' : `<h1 dir="auto">${escapeHtml(title)}</h1>`;
}

function page(title: string, content: string, form = '') {
	const body = form === '' ? content : `${content}<form method="post">${form}</form>`;
	return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`;
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** What users and contacts wrote is shown as text, never read as HTML. */
function escapeHtml(text: string) {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}
