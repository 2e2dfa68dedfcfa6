// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * As many tests of a row as there is time for. A guest on one machine takes ten times as long as on another, and a gate has its limit: with
 * {@code -Dmooring.e2e.seconds=300} no further test of a test factory begins after five minutes, but the first always does. Without it all
 * are done. With {@code -Dmooring.e2e.turn=DAY} rows begin elsewhere each day, so that some days see all of a row of which one has time for the
 * first few only; {@code -Dmooring.e2e.only=REGEX} takes only the tests of rows with such a name.
 */
public final class TimeShare implements InvocationInterceptor {
    /** Why a test was left out. */
    static final String NO_TIME = "no time left for it";

    private static final long SECONDS = Long.getLong("mooring.e2e.seconds", Long.MAX_VALUE);

    private static final long TURN = Long.getLong("mooring.e2e.turn", 0);
    private static final Pattern ONLY = Pattern.compile(System.getProperty("mooring.e2e.only", ".*"));
    /** The part of a row between the beginnings of two days: any number of days leave no large part of a row out. */
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final Map<Method, Row> rows = new ConcurrentHashMap<>();

    @Override
    public <T extends @Nullable Object> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> factory, ExtensionContext context)
            throws Throwable {
        T answer = invocation.proceed();
        if (!(answer instanceof Stream<?> row)) {
            return answer;
        }
        List<DynamicNode> wanted = row.map(DynamicNode.class::cast)
                .filter(test -> ONLY.matcher(test.getDisplayName()).matches())
                .toList();
        @SuppressWarnings("unchecked") // a factory that answers a stream is asked for one
        T turned = (T) turned(wanted, TURN).onClose(row::close);
        return turned;
    }

    @Override
    public void interceptDynamicTest(
            Invocation<@Nullable Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        if (rows.computeIfAbsent(factoryOf(context), factory -> new Row()).mayBegin()) {
            invocation.proceed();
        } else {
            invocation.skip();
            throw new TestAbortedException(NO_TIME);
        }
    }

    private static Method factoryOf(ExtensionContext context) {
        return Stream.iterate(
                        Optional.of(context),
                        Optional::isPresent,
                        each -> each.get().getParent())
                .flatMap(each -> each.get().getTestMethod().stream())
                .findFirst()
                .orElseThrow();
    }

    /** A row that begins elsewhere at each turn, and goes on from its end with what lies before. */
    static <T> Stream<T> turned(List<T> row, long turn) {
        double part = turn * GOLDEN;
        int begin = (int) ((part - Math.floor(part)) * row.size());
        return Stream.concat(row.subList(begin, row.size()).stream(), row.subList(0, begin).stream());
    }

    /** A row in an order in which the first are spread over all of it, so that what is left out lies between what is done. */
    static Stream<DynamicTest> spread(List<DynamicTest> tests) {
        return spread(tests.size()).mapToObj(tests::get);
    }

    /** The numbers below a size, by their binary digits backwards. */
    static IntStream spread(int size) {
        return IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingInt(n -> Integer.reverse(n) >>> 1))
                .mapToInt(Integer::intValue);
    }

    private static final class Row {
        private final long begun = System.nanoTime();
        private boolean begins = true;

        synchronized boolean mayBegin() {
            boolean may = begins || (System.nanoTime() - begun) / 1_000_000_000 < SECONDS;
            begins = false;
            return may;
        }
    }
}
