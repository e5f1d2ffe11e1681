internal import DequeModule
internal import Glibc

extension EventRing {
  /// Forgets a session's events: their numbers and kinds stay, and nothing else of them is in the
  /// memory any more, those included that were let go of before.
  ///
  /// - Returns: How many kept events are forgotten by this.
  /// - Complexity: O(*n*) in the kept events and in the memory that none of them is in.
  @discardableResult
  package func forget(session name: String) -> Int {
    let name = Array(name.utf8)
    var count = 0
    for position in positions {
      let place = records + position % capacity
      let event = KeptEvent(at: place)
      guard !event.isForgotten, event.session.elementsEqual(name) else { continue }
      Record(readingHeaderAt: place).forget(at: place)
      count += 1
    }
    forgottenCount += count
    forgottenEver += count
    eraseFreeRoom()
    return count
  }

  /// Erases what is left of events that were let go of, and gives the memory back.
  func eraseFreeRoom() {
    let end = (positions.first ?? head) + capacity
    let place = records + head % capacity
    let page = Layout.headerBytes
    // Where the whole pages of the room begin and end, seen from `place`.
    let (pages, pagesEnd) = ((head + page - 1) / page * page - head, end / page * page - head)
    guard pages < pagesEnd else {
      memset(place, 0, end - head)
      return
    }
    memset(place, 0, pages)
    memset(place + pagesEnd, 0, end - head - pagesEnd)
    // Refused where the machine's pages are larger.
    if madvise(place + pages, pagesEnd - pages, MADV_REMOVE) != 0 {
      memset(place + pages, 0, pagesEnd - pages)
    }
  }
}
