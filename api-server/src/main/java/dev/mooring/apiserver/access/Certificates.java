// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates on the curve P-256. */
final class Certificates {
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration SERVER_LIFE = Duration.ofDays(825);
    /** Clocks differ a little. */
    private static final Duration BEFORE = Duration.ofHours(1);

    private final SecureRandom random;
    private final Instant now;

    Certificates(SecureRandom random, Instant now) {
        this.random = random;
        this.now = now;
    }

    Identity authority() throws GeneralSecurityException, IOException {
        KeyPair keys = newKeys();
        X500Name name = new X500Name("CN=mooring-ca-" + Long.toHexString(random.nextLong()));
        X509v3CertificateBuilder builder = builder(name, name, keys, now.plus(AUTHORITY_LIFE));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        return new Identity(keys.getPrivate(), List.of(signed(builder, keys.getPrivate())));
    }

    /** One that the authority vouches for; it ends with the authority at the latest, since no client would accept it after that. */
    Identity server(Identity authority, List<String> names) throws GeneralSecurityException, IOException {
        X509Certificate issuer = authority.certificate();
        KeyPair keys = newKeys();
        Instant end = now.plus(SERVER_LIFE);
        X509v3CertificateBuilder builder = builder(
                X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded()),
                new X500Name("CN=mooring"),
                keys,
                end.isBefore(authority.end()) ? end : authority.end());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
        builder.addExtension(
                Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(keys.getPublic()));
        builder.addExtension(
                Extension.authorityKeyIdentifier,
                false,
                identifiers.createAuthorityKeyIdentifier(issuer.getPublicKey()));
        GeneralName[] all = names.stream().map(Certificates::name).toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(all));
        return new Identity(keys.getPrivate(), List.of(signed(builder, authority.key()), issuer));
    }

    private static GeneralName name(String text) {
        boolean address = text.contains(":") || text.matches("[0-9.]+");
        return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, text);
    }

    private KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair keys, Instant end) {
        BigInteger serial = new BigInteger(120, random).add(BigInteger.ONE);
        return new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(now.minus(BEFORE)), Date.from(end), subject, keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, IOException {
        try {
            X509CertificateHolder holder = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key));
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(holder.getEncoded()));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
