/// What a service says about itself (`org.varlink.service.GetInfo`).
public struct VarlinkServiceInfo: Sendable {
  /// Who makes it.
  public var vendor: String
  /// Its name.
  public var product: String
  /// Its version.
  public var version: String
  /// Where to read about it.
  public var url: String

  /// What a service says about itself.
  ///
  /// - Parameters:
  ///   - vendor: who makes it.
  ///   - product: its name.
  ///   - version: its version.
  ///   - url: where to read about it.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
