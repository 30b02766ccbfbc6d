// Certificates for tests: an authority and what it signs, made with OpenSSL in a folder that is
// deleted with this object. Keys are P-256, which are quick to make.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "base/assert.h"

namespace slotcar::runtime {

class Certificates {
 public:
  static constexpr long kDay = 24 * 3600;
  struct Wish {
    std::string file;  // file.pem, file.key
    std::string common_name = "localhost";
    std::string alternative_name = "IP:127.0.0.1,DNS:localhost";
    long valid_from = -kDay;  // from now, in seconds
    long valid_to = kDay;
    std::string key_password = "";
  };

  Certificates() {
    char name[] = "/tmp/slotcar-certificates.XXXXXX";
    ASSERT(::mkdtemp(name) != nullptr);
    folder_ = name;
    authority_key_ = new_key();
    authority_ = new_certificate("the authority of " + folder_, authority_key_, -kDay, kDay);
    add_extension(authority_, NID_basic_constraints, "critical,CA:TRUE");
    ::X509_set_issuer_name(authority_, ::X509_get_subject_name(authority_));
    ASSERT(::X509_sign(authority_, authority_key_, ::EVP_sha256()) > 0);
    write_certificate("ca", authority_);
    make({.file = "server"});
  }
  ~Certificates() {
    ::X509_free(authority_);
    ::EVP_PKEY_free(authority_key_);
    std::filesystem::remove_all(folder_);
  }
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;

  std::string path(const std::string& file) const { return folder_ + "/" + file; }

  void make(const Wish& wish) {
    EVP_PKEY* key = new_key();
    X509* made = new_certificate(wish.common_name, key, wish.valid_from, wish.valid_to);
    if (!wish.alternative_name.empty()) {
      add_extension(made, NID_subject_alt_name, wish.alternative_name);
    }
    ::X509_set_issuer_name(made, ::X509_get_subject_name(authority_));
    ASSERT(::X509_sign(made, authority_key_, ::EVP_sha256()) > 0);
    write_certificate(wish.file, made);
    std::FILE* file = std::fopen(path(wish.file + ".key").c_str(), "w");
    ASSERT(file != nullptr);
    const bool secret = !wish.key_password.empty();
    ASSERT(::PEM_write_PrivateKey(
               file, key, secret ? ::EVP_aes_128_cbc() : nullptr,
               secret ? reinterpret_cast<const unsigned char*>(wish.key_password.data()) : nullptr,
               static_cast<int>(wish.key_password.size()), nullptr, nullptr) == 1);
    std::fclose(file);
    ::X509_free(made);
    ::EVP_PKEY_free(key);
  }

 private:
  static EVP_PKEY* new_key() {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    ASSERT(key != nullptr);
    return key;
  }
  X509* new_certificate(const std::string& name, EVP_PKEY* key, long from, long to) {
    X509* made = ::X509_new();
    ASSERT(made != nullptr);
    ::X509_set_version(made, 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(made), ++serial_);
    ::X509_gmtime_adj(::X509_getm_notBefore(made), from);
    ::X509_gmtime_adj(::X509_getm_notAfter(made), to);
    ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made), "CN", MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(name.data()),
                                 static_cast<int>(name.size()), -1, 0);
    ::X509_set_pubkey(made, key);
    return made;
  }
  static void add_extension(X509* certificate, int kind, const std::string& value) {
    X509_EXTENSION* made = ::X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    ASSERT(made != nullptr);
    ::X509_add_ext(certificate, made, -1);
    ::X509_EXTENSION_free(made);
  }
  void write_certificate(const std::string& name, X509* certificate) {
    std::FILE* file = std::fopen(path(name + ".pem").c_str(), "w");
    ASSERT(file != nullptr);
    ASSERT(::PEM_write_X509(file, certificate) == 1);
    std::fclose(file);
  }

  std::string folder_;
  EVP_PKEY* authority_key_;
  X509* authority_;
  long serial_ = 0;
};

}  // namespace slotcar::runtime
