/// What a service says about itself (`org.varlink.service.GetInfo`).
public struct VarlinkServiceInfo: Sendable {
  /// The maker of the service.
  public var vendor: String
  /// The name of the service.
  public var product: String
  /// The version of the service.
  public var version: String
  /// The address of a page about the service.
  public var url: String

  /// What a service says about itself.
  ///
  /// - Parameters:
  ///   - vendor: the maker of the service.
  ///   - product: the name of the service.
  ///   - version: the version of the service.
  ///   - url: the address of a page about the service.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
