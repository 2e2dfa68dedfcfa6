// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How one Event has two forms, and what the newer one asks for. */
class EventViewTest {
    private static final String CORE = """
            {"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"web"},
             "reason":"Failed","message":"why","source":{"component":"c"},"firstTimestamp":"2026-01-01T00:00:00Z",
             "lastTimestamp":"2026-01-01T00:01:00Z","count":3,"type":"Warning","reportingComponent":"c",
             "reportingInstance":"i","action":"Do","future":[1]}""";
    private static final String NEW = """
            {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"web"},
             "reason":"Failed","note":"why","deprecatedSource":{"component":"c"},
             "deprecatedFirstTimestamp":"2026-01-01T00:00:00Z","deprecatedLastTimestamp":"2026-01-01T00:01:00Z",
             "deprecatedCount":3,"type":"Warning","reportingController":"c","reportingInstance":"i","action":"Do",
             "future":[1]}""";

    private static Document read(String json) {
        return KubernetesJson.standard().read(json.replace('\'', '"'), "an event");
    }

    @Test
    void fieldsHaveOtherNamesAndNothingIsLost() {
        assertThat(EventView.shown(read(CORE))).isEqualTo(read(NEW));
        assertThat(EventView.stored(read(NEW))).isEqualTo(read(CORE));
    }

    @Test
    void theNamesOfTheOtherSideAreUnknownFieldsAndMeanNothing() {
        assertThat(EventView.stored(
                        read("{'apiVersion':'events.k8s.io/v1','note':'mine','message':'not mine','count':7}")))
                .isEqualTo(read("{'apiVersion':'v1','message':'mine'}"));
        assertThat(EventView.shown(read("{'apiVersion':'v1','message':'mine','note':'not mine'}")))
                .isEqualTo(read("{'apiVersion':'events.k8s.io/v1','note':'mine'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | ``",
                "regarding.name=web | involvedObject.name=web",
                "type=Warning,regarding.kind!=Pod, reportingController=c | type=Warning,involvedObject.kind!=Pod, reportingComponent=c",
                "reason=a\\,regarding.x | reason=a\\,regarding.x",
                "involvedObject.name=web | ",
                "type=Normal,reportingComponent=c | ",
            })
    void selectorsHaveTheNamesOfTheGroup(String shown, String stored) {
        assertThat(EventView.selector(shown)).isEqualTo(Optional.ofNullable(stored));
    }

    private static final String TIME = "'eventTime':'2026-01-01T00:00:00.000001Z'";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                TIME + ",'type':'Normal' | ``",
                TIME + ",'type':'Normal','count':0,'source':{},'firstTimestamp':null | ``",
                TIME + ",'type':'Normal','series':{'count':2,'lastObservedTime':'2026-01-01T00:01:00.5+01:00'} | ``",
                "'type':'Normal' | eventTime: Required value",
                "'eventTime':'soon','type':'Normal' | eventTime: Invalid value",
                TIME + ",'type':'Other' | has invalid value: Other",
                TIME + ",'type':'Normal','count':1 | count: Invalid value",
                TIME + ",'type':'Normal','source':{'component':'c'} | source: Invalid value",
                TIME + ",'type':'Normal','lastTimestamp':'2026-01-01T00:00:00Z' | needs to be unset",
                TIME
                        + ",'type':'Normal','series':{'count':1,'lastObservedTime':'2026-01-01T00:00:00Z'} | should be at least 2",
                TIME + ",'type':'Normal','series':{'count':3} | series.lastObservedTime: Required value",
            })
    void aNewEventIsOfTheNewStyle(String fields, String problem) {
        Problems problems = new Problems();
        new EventViewRules().state(read("{" + fields + "}"), problems);
        check(problems, problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'message':'m','count':1 | 'message':'m','count':1,'metadata':{'labels':{'a':'b'}} | ``",
                "'message':'m' | 'message':'m','series':{'count':2,'lastObservedTime':'2026-01-01T00:00:00Z'} | ``",
                "'message':'m' | 'message':'m','series':{'count':1} | series.count: Invalid value",
                "'series':{'count':1} | 'series':{'count':1} | ``",
                "'message':'m' | 'message':'n' | message: Invalid value",
                "'count':1 | 'count':2 | count: Invalid value",
                "'reportingComponent':'a' | 'reportingComponent':'b' | reportingController: Invalid value",
                "'source':{} | 'source':{'host':'h'} | field is immutable",
            })
    void onlyItsSeriesChanges(String before, String after, String problem) {
        Problems problems = new Problems();
        new EventViewRules().change(read("{" + before + "}"), read("{" + after + "}"), problems);
        check(problems, problem);
    }

    private static void check(Problems problems, String expected) {
        List<String> found = problems.found().stream().map(FieldError::toString).toList();
        if (expected.isEmpty()) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).anySatisfy(each -> assertThat(each).contains(expected));
        }
    }
}
