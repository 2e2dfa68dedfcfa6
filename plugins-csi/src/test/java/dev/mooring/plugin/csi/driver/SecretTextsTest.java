// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiStatus;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No value of a secret stays in what a driver says. */
class SecretTextsTest {
    private static final SecretTexts SECRETS = SecretTexts.NONE
            .with("a", "hunter2")
            .with("b", "hunter2-and-more")
            .with("key", "-----BEGIN KEY-----\nMIIC\tPlanted\n-----END KEY-----\n")
            .with("quoted", "say \"friend\"")
            .with("short", "abc");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    login with hunter2 failed                      | login with ***stripped*** failed
                    login with hunter2-and-more failed             | login with ***stripped*** failed
                    both: hunter2,hunter2-and-more                 | both: ***stripped***,***stripped***
                    key -----BEGIN KEY----- MIIC Planted -----END KEY----- is old | key ***stripped*** is old
                    key -----BEGIN KEY-----\\nMIIC\\tPlanted\\n-----END KEY----- is old | key ***stripped*** is old
                    said "say \\"friend\\""                        | said "***stripped***"
                    encoded aHVudGVyMg==                           | encoded ***stripped***==
                    cut hunter2-and...                             | cut ***stripped***-and...
                    cut -----BEGIN KEY----- MII...                 | cut ***stripped***...
                    abc is too short to hide                       | abc is too short to hide
                    nothing here...                                | nothing here...
                    """)
    void aSecretIsTakenOutHoweverItIsSpelled(String said, String shown) {
        // a value that is cut may still show that another value is its beginning
        assertThat(SECRETS.hide(said)).isEqualTo(shown);
    }

    @Test
    void aSecretIsTakenOutOfAMessageThatWasMadeOneLineAndCut() {
        String secret = "line one of it\nline two of it\n".repeat(60);
        CsiStatus status = new CsiStatus(Status.Code.INTERNAL, "bad key: " + secret, CsiStatus.Origin.DRIVER);

        assertThat(SecretTexts.NONE.with("key", secret).hide(status.message())).isEqualTo("bad key: ***stripped***...");
    }

    @Test
    void secretsDoNotPrintWhatTheyHold() {
        assertThat(SECRETS).hasToString("(5 secrets)");
    }
}
