import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What the contact can answer. */
export type AnswerForm =
	| { type: 'approval'; approve: string; decline?: string }
	| { type: 'freeText'; button: string }
	| { type: 'choices'; choices: string[] };

/** A question that waits for its answer, with all that its page shows. */
export interface Question {
	/** The link carries it, so that a link answers its own question only. n8n signs the link, so nobody can guess one. */
	id: string;
	/** Who was asked, as the output says it. */
	contact: IDataObject;
	/** The message without its link. */
	message: string;
	form: AnswerForm;
	title: string;
	thankYou: string;
}

/** The name of the link's parameter that holds the question's ID; n8n signs it with the rest of the link. */
export const QUESTION_PARAMETER = 'question';

/** Remembers the question that the execution waits for. n8n stores it with the execution. */
export function rememberQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node').question = question as unknown as IDataObject;
}

/** Returns the question that the execution waits for; undefined if there is none. */
export function waitingQuestion(context: IWebhookFunctions): Question | undefined {
	// A webhook cannot read the node's context, but an expression can; n8n evaluates a fallback like any other value.
	const name = JSON.stringify(context.getNode().name);
	const stored = context.getNodeParameter('waitingQuestion', `={{ $node[${name}].context.question }}`);
	return (stored as unknown as Question | undefined) ?? undefined;
}
