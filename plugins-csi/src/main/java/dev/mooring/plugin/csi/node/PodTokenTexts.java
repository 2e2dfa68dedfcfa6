// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverTokenRequest;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tokens of a pod's service account that a driver asks for by its CSIDriver, as the one text in which they are handed over (semantics/
 * csi §6.7). Thread-safe.
 *
 * @param tokens makes them
 */
record PodTokenTexts(DriverTokens tokens) {
    private static final String KEY = "csi.storage.k8s.io/serviceAccount.tokens";

    /** What an API server gives to a request that names no time. */
    private static final Duration USUAL_LIFE = Duration.ofHours(1);

    /**
     * Tokens as text.
     *
     * @param inSecrets whether they go to the secrets; otherwise to the attributes
     * @param all the text under its key; empty if the driver asks for none
     * @param each every token alone, to be kept out of messages
     */
    record Texts(boolean inSecrets, SecretTexts all, SecretTexts each) {
        /** No tokens. */
        static final Texts NONE = new Texts(false, SecretTexts.NONE, SecretTexts.NONE);

        /** A copy of a request's map, with the tokens. */
        Map<String, String> addedTo(Map<String, String> others) {
            Map<String, String> both = new TreeMap<>(others);
            both.putAll(all.reveal());
            return both;
        }
    }

    /** The tokens that a driver asks for; deferred if there are none, with a reason that names the driver and the account. */
    Outcome<Texts> of(CSIDriver driver, PodRef pod, String account) {
        Map<String, Object> byAudience = new TreeMap<>();
        Map<String, String> each = new TreeMap<>();
        for (CSIDriverTokenRequest request : driver.spec().tokenRequests()) {
            Outcome<DriverTokens.Given> given = tokens.token(
                    pod,
                    account,
                    Optional.of(request.audience()).filter(audience -> !audience.isEmpty()),
                    request.expirationSeconds().map(Duration::ofSeconds).orElse(USUAL_LIFE));
            if (!given.isDone()) {
                return Outcome.deferred("CSI driver " + driver.metadata().name() + " wants a token of service account "
                        + account + ": " + given.message());
            }
            String token = text(given.result().orElseThrow().value());
            Map<String, String> entry = new LinkedHashMap<>();
            entry.put("token", token);
            entry.put(
                    "expirationTimestamp",
                    given.result()
                            .orElseThrow()
                            .expires()
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString());
            byAudience.put(request.audience(), entry);
            each.put(request.audience(), token);
        }
        return Outcome.done(new Texts(
                driver.spec().serviceAccountTokenInSecrets().orElse(false),
                SecretTexts.of(Map.of(KEY, Document.of(byAudience).toString())),
                SecretTexts.of(each)));
    }

    private static String text(SecretValue value) {
        byte[] bytes = value.reveal();
        String text = new String(bytes, StandardCharsets.UTF_8);
        Arrays.fill(bytes, (byte) 0);
        return text;
    }
}
