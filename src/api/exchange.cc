#include "api/exchange.h"

namespace berth::api {

const Caller& Exchange::caller() const {
  static const Caller nobody;
  return outlet_ ? outlet_->caller() : nobody;
}

void Exchange::respond(const Response& response) {
  if (!outlet_) return;
  status_ = response.status;
  Outlet& outlet = *outlet_;
  close();
  outlet.answer(response);
}

void Exchange::begin(const Response& head, Task drained) {
  if (!outlet_) return;
  if (request_.method == Method::head) return respond(head);
  status_ = head.status;
  drained_ = std::move(drained);
  outlet_->input_matters();
  outlet_->begin_stream(head);
}

void Exchange::send(Chunk chunk) {
  if (outlet_ && !chunk->empty()) outlet_->push(std::move(chunk));
}

void Exchange::finish() {
  if (!outlet_) return;
  Outlet& outlet = *outlet_;
  close();
  outlet.end_stream();
}

void Exchange::on_gone(Task gone) {
  if (!outlet_) return;
  gone_ = std::move(gone);
  outlet_->input_matters();
}

void Exchange::drained() {
  if (const Task task = drained_) task();
}

void Exchange::detach(bool gone) {
  const Task task = std::move(gone_);
  close();
  if (gone && task) task();
}

// The tasks may hold this exchange; they go when it closes, so that nothing keeps itself alive. The one that runs now is a
// copy (drained) or was moved out (detach).
void Exchange::close() {
  outlet_ = nullptr;
  drained_ = nullptr;
  gone_ = nullptr;
}

}  // namespace berth::api
