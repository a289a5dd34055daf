//! Actions: their results in the cache of the server, and their execution.

use std::time::Duration;

use prost::Message as _;
use tonic::Code;

use crate::calls::{EXECUTE, GET_ACTION_RESULT, REPEATS, Remote, UPDATE_ACTION_RESULT, WAIT_EXECUTION, next, pause};
use crate::digest::Digest;
use crate::fault::Fault;
use crate::messages::{
    ActionResult, ExecuteRequest, ExecuteResponse, GetActionResultRequest, Operation, UpdateActionResultRequest,
    WaitExecutionRequest,
};

impl Remote {
    /// The result of an action; `None` if the server has none.
    pub(crate) async fn action_result(&self, action: Digest) -> Result<Option<ActionResult>, Fault> {
        let asked =
            GetActionResultRequest { instance_name: self.instance.clone(), action_digest: Some(action.message()) };
        match self.unary(&GET_ACTION_RESULT, 0, asked).await {
            Err(fault) if fault.is(Code::NotFound) => Ok(None),
            result => result.map(Some),
        }
    }

    /// Sets the result of an action.
    pub(crate) async fn update_action_result(&self, action: Digest, result: ActionResult) -> Result<(), Fault> {
        let asked = UpdateActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.message()),
            action_result: Some(result),
        };
        self.unary::<_, ActionResult>(&UPDATE_ACTION_RESULT, 0, asked).await.map(drop)
    }

    /// Executes an action whose inputs the server has, and waits for its result.
    pub(crate) async fn execute(&self, action: Digest, limit: Duration) -> Result<ActionResult, Fault> {
        let followed = tokio::time::timeout(limit, self.follow(action)).await;
        followed.unwrap_or_else(|_| Err(Fault::timed_out(EXECUTE.name, limit)))
    }

    /// Follows an execution, also if the connection breaks in between.
    async fn follow(&self, action: Digest) -> Result<ActionResult, Fault> {
        // The name of the operation, once the server has given it one.
        let mut name = String::new();
        let mut breaks = 0;
        loop {
            let waited = !name.is_empty();
            let mut has_answered = false;
            let fault = match self.operation(action, &mut name, &mut has_answered).await {
                Ok(operation) => match result_of(&operation) {
                    Ok(result) => return Ok(result),
                    // It has ended, so the next one is another.
                    Err(fault) if fault.is_passing() => {
                        name.clear();
                        fault
                    }
                    Err(fault) => return Err(fault),
                },
                // The server has forgotten it, or never has these names.
                Err(fault) if waited && (fault.is(Code::NotFound) || fault.is(Code::Unimplemented)) => {
                    name.clear();
                    fault
                }
                Err(fault) if fault.is_passing() => {
                    // A connection that lives as long as some proxy lets it is no fault of the server.
                    if has_answered && waited {
                        breaks = 0;
                    }
                    fault
                }
                Err(fault) => return Err(fault),
            };
            if breaks >= REPEATS {
                return Err(fault);
            }
            pause(breaks).await;
            breaks += 1;
        }
    }

    /// Waits for the end of an operation: one with a name, or a new one.
    async fn operation(&self, action: Digest, name: &mut String, has_answered: &mut bool) -> Result<Operation, Fault> {
        let method = if name.is_empty() { EXECUTE } else { WAIT_EXECUTION };
        let mut stream = if name.is_empty() {
            let asked = ExecuteRequest {
                instance_name: self.instance.clone(),
                skip_cache_lookup: false,
                action_digest: Some(action.message()),
            };
            self.server_streaming::<_, Operation>(&method, asked).await?
        } else {
            self.server_streaming(&method, WaitExecutionRequest { name: name.clone() }).await?
        };
        while let Some(operation) = next(&method, &mut stream).await? {
            *has_answered = true;
            name.clone_from(&operation.name);
            if operation.done {
                return Ok(operation);
            }
        }
        Err(Fault::cut_off(method.name, "the server has ended the stream before the action"))
    }
}

/// The result of an operation that has ended.
fn result_of(operation: &Operation) -> Result<ActionResult, Fault> {
    if let Some(fault) = Fault::of_message(EXECUTE.name, operation.error.as_ref()) {
        return Err(fault);
    }
    let wrong = |why: String| Fault::wrong(EXECUTE.name, why);
    let response = operation.response.as_ref();
    let response = response.ok_or_else(|| wrong("the operation has ended without a response".to_owned()))?;
    if !response.type_url.ends_with("/build.bazel.remote.execution.v2.ExecuteResponse") {
        return Err(wrong(format!(
            "the operation has ended with {:?}, expected an ExecuteResponse",
            response.type_url
        )));
    }
    let response = ExecuteResponse::decode(response.value.clone());
    let response = response.map_err(|error| wrong(format!("the response cannot be read: {error}")))?;
    match Fault::of_message(EXECUTE.name, response.status.as_ref()) {
        Some(fault) => Err(fault),
        None => response.result.ok_or_else(|| wrong("the response has no result".to_owned())),
    }
}
