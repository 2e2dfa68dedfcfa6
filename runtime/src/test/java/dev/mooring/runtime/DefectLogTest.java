// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.HandTime;
import dev.mooring.runtime.control.Key;
import dev.mooring.storage.model.ObjectKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class DefectLogTest {
    private static final Key KEY = new Key("claim", ObjectKey.of("shop", "data"));

    private final HandTime time = new HandTime();
    private final Heard heard = new Heard();
    private final DefectLog log = new DefectLog(heard, time);

    private void throwsAt(Key key) {
        log.onDefect("binder", key, new IllegalStateException("s3cret", new IllegalArgumentException("s3cret")));
    }

    @Test
    void saysWhoThrewWhatAtWhichKeyAndRepeatsNoText() {
        throwsAt(KEY);
        assertThat(heard.lines).hasSize(1);
        assertThat(heard.lines.get(0))
                .startsWith("ERROR binder threw at claim shop/data")
                .contains(IllegalStateException.class.getName(), IllegalArgumentException.class.getName())
                .contains(DefectLogTest.class.getName() + ".throwsAt")
                .doesNotContain("s3cret");
    }

    @Test
    void whatThrowsWithoutEndIsLoggedSoOftenInAMinuteAndCounted() {
        for (int i = 0; i < DefectLog.MOST + 7; i++) {
            throwsAt(KEY);
        }
        assertThat(heard.lines).hasSize(DefectLog.MOST);
        time.pass(DefectLog.MINUTE.minus(Duration.ofMillis(1)));
        throwsAt(KEY);
        assertThat(heard.lines).hasSize(DefectLog.MOST);
        time.pass(Duration.ofMillis(1));
        throwsAt(KEY);
        throwsAt(KEY);
        assertThat(heard.lines).hasSize(DefectLog.MOST + 3);
        assertThat(heard.lines.get(DefectLog.MOST)).isEqualTo("ERROR controllers threw 8 times more than was logged\n");
    }

    /** Keeps what is logged as it would be printed. */
    private static final class Heard extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient List<String> lines = new ArrayList<>();

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            StringWriter text = new StringWriter();
            text.append(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments) + "\n");
            if (thrown != null) {
                thrown.printStackTrace(new PrintWriter(text, true));
            }
            lines.add(text.toString());
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return DefectLogTest.class.getName();
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
