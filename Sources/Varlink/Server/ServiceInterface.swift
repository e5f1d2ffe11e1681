internal import JSON

/// `org.varlink.service`, which every Varlink service offers.
struct ServiceInterface {
  /// The interface as varlink.org and systemd publish it.
  static let description = """
    # The Varlink Service Interface is provided by every varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """

  static let interface: VarlinkInterface = {
    do {
      return try VarlinkInterface(description: description)
    } catch {
      // The description above is valid.
      preconditionFailure("\(error)")
    }
  }()

  private let info: VarlinkServiceInfo
  /// All interfaces of the service, `org.varlink.service` first.
  private let interfaces: [VarlinkInterface]

  init(info: VarlinkServiceInfo, interfaces: [VarlinkInterface]) {
    self.info = info
    self.interfaces = [Self.interface] + interfaces
  }

  /// Answers a call of `GetInfo` or `GetInterfaceDescription`; parameters that these do not have are invalid.
  func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    let takesInterface = call.method == 1
    var unknown: InvalidParameter?
    call.parameters.forEachMember { name, _ in
      if takesInterface, case "interface" = name { return }
      unknown = InvalidParameter(name.isIdentifier ? name.string : "parameters")
    }
    if let unknown {
      connection.reply(unknown)
    } else if takesInterface {
      replyDescription(of: call.parameters["interface"].string, on: connection)
    } else {
      replyInfo(on: connection)
    }
  }

  /// Answers `GetInfo`.
  private func replyInfo(on connection: VarlinkConnection) {
    connection.reply { writer in
      writer.member("vendor", info.vendor)
      writer.member("product", info.product)
      writer.member("version", info.version)
      writer.member("url", info.url)
      writer.name("interfaces")
      writer.beginArray()
      for interface in interfaces { writer.string(interface.name) }
      writer.endArray()
    }
  }

  /// Answers `GetInterfaceDescription`.
  private func replyDescription(of interface: String?, on connection: VarlinkConnection) {
    guard let interface else {
      return connection.reply(InvalidParameter("interface"))
    }
    guard let found = interfaces.first(where: { $0.name == interface }) else {
      return connection.reply(interfaceNotFound: interface)
    }
    connection.reply { writer in
      writer.member("description", found.description)
    }
  }
}
