package import Varlink

/// Charges what the server's connections hold like all else.
extension Account: VarlinkAccount {
  package func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
    grow(Resource(resource), by: amount)
  }

  package func release(_ amount: Int, of resource: VarlinkResource) {
    shrink(Resource(resource), by: amount)
  }
}

extension Resource {
  init(_ resource: VarlinkResource) {
    switch resource {
    case .connections: self = .connections
    case .received: self = .frames
    case .queued: self = .replies
    }
  }
}
